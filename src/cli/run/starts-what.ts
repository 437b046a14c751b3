import { tasksLeft } from '../../runner/plan/tasks-left.ts';
import { runLine, runOptions } from '../../views/sprints/run-line.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import { taskSettings, type TaskSettings } from '../../workflow/config/task-settings.ts';
import type { Project } from '../../workflow/project/project.ts';
import { chooseSprint } from '../../workflow/sprint/choose-sprint.ts';
import type { Cli } from '../cli.ts';
import { environmentFlags } from '../input/environment-flags.ts';
import { typedLine } from '../project/typed-line.ts';

/**
 * What a run of a sprint that is begun without options starts, in lines: each agent, and what says so. The options of its last
 * run are not repeated: they are said where there were any.
 */
export async function startsWhat(cli: Cli, project: Project, stream: string): Promise<readonly string[]> {
  const { root, state } = project;
  const { folder } = await chooseSprint(project, stream);
  const sprint = state.streams.get(stream);
  const reading = await readConfig({ root, env: cli.env, configMemory: cli.configMemory });
  const place = { root, env: cli.env };
  const flags = environmentFlags(cli);
  const named = (folder ? tasksLeft(folder, sprint) : []).map(({ id }) =>
    agentText(taskSettings(place, reading, { ...flags, folder, taskId: id })),
  );
  const agents = [...new Set(named)].filter((text) => text !== undefined);
  const isNamed = named.every((text) => text !== undefined);
  const last = sprint ? runOptions(sprint) : [];
  return [
    ...(named.length === 0 ? ['No task is left to be worked on.'] : []),
    ...(isNamed ? [] : ['Nothing names an agent: it would not begin.']),
    ...(isNamed && agents.length > 0 ? [`Its agents start at once: ${agents.join('; ')}`] : []),
    ...(last.length === 0
      ? []
      : [
          `The last run was begun as: ${lineOf(cli, stream, last)}`,
          'These options are not repeated here: to have them, type that in a shell.',
        ]),
  ];
}

/** `undefined`: nothing names one. */
function agentText({ agent, agentCmd }: TaskSettings): string | undefined {
  const { value, written, origin } = agentCmd;
  if (value !== undefined) {
    const line = typeof written === 'string' ? written : value;
    const name = agent.value === undefined ? '' : `${agent.value}: `;
    return `${name}${line} (${origin})`;
  }
  return agent.value === undefined ? undefined : `${agent.value} (${agent.origin})`;
}

/** As a person can type it where they are, or, where something of it is left out, as it was. */
function lineOf(cli: Cli, stream: string, options: readonly string[]): string {
  return options.some((option) => option.includes('…'))
    ? runLine(stream, options)
    : typedLine(cli, 'run', stream, ...options);
}
