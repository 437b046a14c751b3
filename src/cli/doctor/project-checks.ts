import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseAgentCommand } from '../../runner/plan/agent-command.ts';
import { namesTask } from '../../runner/plan/agent-prompt.ts';
import { unknownAgent } from '../../runner/plan/plan-problems.ts';
import { knownAgent } from '../../runner/agents/known-agents.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';
import { PROMPT_FILE, readPromptTemplate } from '../../runner/plan/prompt-template.ts';
import { channelOf, problemText, type ConfigProblem } from '../../workflow/config/config-problem.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import { taskSettings } from '../../workflow/config/task-settings.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { manifestRemarks } from '../../workflow/sprint/manifest-remarks.ts';
import { bringItBack, sprintsWithoutManifest } from '../../workflow/sprint/missing-manifest.ts';
import { refuseUnreadable } from '../../workflow/worktree/worktree-notes.ts';
import { listSprintFolders, type SprintIndex } from '../../workflow/sprint/sprint-folders.ts';
import { CliffordError } from '../../errors.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requireWhole } from '../../workflow/worktree/require-whole.ts';
import { onProject } from '../project/on-project.ts';
import { environmentFlags } from '../input/environment-flags.ts';
import { broken, brokenBy, good, warning, type Check, type DoctorContext } from './check.ts';
import { documentation } from '../../package-file.ts';
import { count } from '../../lib/text/count.ts';
import { loadMcpConfig } from '../../gateway/config/load-mcp-config.ts';
import type { McpConfigReading } from '../../gateway/config/mcp-config-reading.ts';
import { trustOf } from '../../gateway/config/trust.ts';
import { openRemotes } from '../../notify/remote/open-channels.ts';

/** Which project is meant, and why. */
export function checkRoot({ root, cwd, stateDir, env }: DoctorContext): Check {
  const name = 'project';
  const why = env['CLIFFORD_PROJECT_ROOT']
    ? 'CLIFFORD_PROJECT_ROOT names it'
    : stateDir !== undefined
      ? `it has ${STATE_DIR}/`
      : existsSync(join(root, '.git'))
        ? 'the git root'
        : 'the folder you are in';
  const text = `project ${root}: ${why}${root === cwd ? '' : `, seen from ${cwd}`}`;
  return stateDir === undefined
    ? warning(name, `${text}; no ${STATE_DIR}/ yet`, 'Run clifford init')
    : good(name, text);
}

/** Whether git can read what it has noted of the worktrees, and those of tasks are as the log knows them; nothing where it is so. */
export async function checkWorktrees(context: DoctorContext): Promise<readonly Check[]> {
  const { root, env, signal } = context;
  if (findExecutable('git', { cwd: root, path: env['PATH'] }) === undefined) return [];
  try {
    await refuseUnreadable({ root }, signal);
    return await brokenWorktrees(context);
  } catch (error) {
    // Nobody waits for it any more.
    if (signal.aborted) return [];
    return [brokenBy('worktrees', error)];
  }
}

/** Those of tasks whose project was moved, or whose branch is gone. */
async function brokenWorktrees(context: DoctorContext): Promise<readonly Check[]> {
  return ofLog(context, async (project) => {
    const checks: Check[] = [];
    for (const { id, tasks } of project.state.streams.values())
      for (const { id: taskId, worktree } of tasks.values())
        try {
          if (worktree) await requireWhole(project, worktree, { signal: context.signal, withTarget: true });
        } catch (error) {
          const { text, fix = '' } = brokenBy('worktrees', error);
          checks.push(warning('worktrees', `task ${taskId} of ${id}: ${text}`, fix));
        }
    return checks;
  });
}

/** The sprints, as far as their manifests can be read. */
export async function checkSprints(context: DoctorContext): Promise<Check> {
  const name = 'sprints';
  const { root } = context;
  try {
    const index = await listSprintFolders(root);
    const { sprints, broken } = index;
    const [first] = broken;
    if (first) return brokenBy(name, first.error);
    const missing = await missingOnes(context, index);
    const [gone] = missing;
    if (gone) return warning(name, missing.map(({ text }) => text).join('; '), bringItBack(gone.id));
    const remarks = await Promise.all(sprints.map((folder) => manifestRemarks(root, folder, undefined)));
    const text = remarks.flat().join('; ');
    if (text !== '')
      return warning(
        name,
        text,
        'Write the files that are missing, or correct the manifest; keys of other programs may stay',
      );
    const ids = sprints.map(({ manifest }) => manifest.id);
    if (ids.length > 0) return good(name, `sprints: ${ids.join(', ')}`);
    const fix = 'Run clifford init for one to try, or make one with clifford sprint new <id>';
    return warning(name, 'no sprints', fix);
  } catch (error) {
    return brokenBy(name, error);
  }
}

/** The sprints of the log that have no manifest any more. */
function missingOnes(context: DoctorContext, index: SprintIndex) {
  return ofLog(context, ({ root, state }) => sprintsWithoutManifest(root, state, index));
}

/** What the log has to say; nothing where there is none, or none that can be read. */
async function ofLog<T>(
  context: DoctorContext,
  look: (project: Project) => readonly T[] | Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (context.stateDir === undefined) return [];
  try {
    return await onProject(context, context, async (project) => look(project));
  } catch (error) {
    // What is wrong with the log is told of the log.
    if (error instanceof CliffordError) return [];
    throw error;
  }
}

/** What is wrong with the configuration: a check for each mistake, or for all of a channel, or one that says that there is none. */
export function checkConfig({ problems, unknownKeys }: ConfigReading): Check[] {
  const fix = `Correct it; ${documentation('configuration')} describes every key`;
  const checks = [
    ...[...Map.groupBy(problems, (problem) => ofOneChannel(problem) ?? problem).values()].map((alike) =>
      broken('config', mistakesText(alike), fix),
    ),
    ...unknownKeys.map(({ text }) => warning('config', text, 'Correct its name, or remove it')),
  ];
  return checks.length > 0 ? checks : [good('config', 'configuration without mistakes')];
}

/** What the mistakes of one channel in one file have in common; `undefined`: it is of no channel. */
function ofOneChannel(problem: ConfigProblem): string | undefined {
  const channel = channelOf(problem);
  return channel && JSON.stringify([channel, problem.file]);
}

function mistakesText(alike: readonly ConfigProblem[]): string {
  const [first, ...others] = alike;
  if (first === undefined) return '';
  const channel = channelOf(first);
  const off = channel === undefined ? [] : [`channel ${channel} calls nobody`];
  return [problemText(first), ...others.map(({ rule }) => rule), ...off].join('; ');
}

/** The agent that works on tasks for which nothing else is said; `undefined` when it is a command line. */
export function defaultAgent(context: DoctorContext, reading: ConfigReading): string | undefined {
  const { agent, agentCmd } = taskSettings(context, reading, environmentFlags(context));
  return agentCmd.value === undefined ? agent.value : undefined;
}

/** Whether the agent that works on tasks for which nothing else is said can be started. */
export function checkDefaultAgent(context: DoctorContext, reading: ConfigReading): Check {
  const name = 'default-agent';
  const place = { cwd: context.root, path: context.env['PATH'] };
  const { agent, agentCmd } = taskSettings(context, reading, environmentFlags(context));
  if (agentCmd.value !== undefined) {
    const who = agent.value ?? 'an agent command';
    try {
      // What variables brought in may be a secret.
      const shown = typeof agentCmd.written === 'string' ? agentCmd.written : agentCmd.value;
      parseAgentCommand(agentCmd.value, { ...place, shown });
      return good(name, `tasks go to ${who}, as ${agentCmd.origin} says`);
    } catch (error) {
      return brokenBy(name, error);
    }
  }
  if (agent.value === undefined) {
    const fix = 'Name one as "agent" in clifford.json, or with clifford run --agent or --agent-cmd';
    return warning(name, 'no agent is configured', fix);
  }
  const { agents } = reading.config;
  const definition = Object.hasOwn(agents, agent.value) ? agents[agent.value] : undefined;
  const known = knownAgent(definition?.adapter ?? agent.value);
  if (!known) return brokenBy(name, unknownAgent(reading, { name: agent.value, origin: agent.origin }));
  const bin = definition?.path ?? known.bin;
  const text = `tasks go to ${known.title}, as ${agent.origin} says`;
  if (findExecutable(bin, place) !== undefined) return good(name, text);
  const fix = `Install it (${known.install}), or name another as "agent"`;
  return broken(name, `${text}, and ${bin} is not installed`, fix);
}

/** The project's own text for agents. */
export async function checkPrompt({ root }: DoctorContext): Promise<Check> {
  const name = 'prompt';
  try {
    const template = await readPromptTemplate(root);
    if (template === undefined) return good(name, 'agents start with the built-in text');
    const text = `agents start with ${PROMPT_FILE}`;
    if (namesTask(template)) return good(name, text);
    const fix = 'Put {task} into it, or remove the file: then agents get the built-in text';
    return warning(name, `${text}, which does not name their task: it has no {task}`, fix);
  } catch (error) {
    return brokenBy(name, error);
  }
}

/** Whether `mcp.json` counts, and agents can have its servers, as far as the file tells. None of them is started. */
export async function checkGateway(context: DoctorContext): Promise<Check[]> {
  const reading = await loadMcpConfig(context);
  if (!reading.exists) return [];
  const notes = reading.warnings.map((text) =>
    warning('mcp.json', text, `Look at it; ${documentation('gateway')} describes every key`),
  );
  return [...notes, ...(await checkServers(context, reading))];
}

async function checkServers({ root, env }: DoctorContext, reading: McpConfigReading): Promise<Check[]> {
  const name = 'mcp.json';
  const { problems, servers } = reading;
  if (problems.length > 0)
    return [
      warning(
        name,
        `mcp.json has ${count(problems.length, 'mistake')}`,
        'See them, and what to do, with: clifford mcp doctor',
      ),
    ];
  if ((await trustOf(root, reading, env)).is !== 'trusted')
    return [
      warning(
        name,
        'mcp.json is not trusted as it is now, so agents get none of its servers',
        'Look at what it would run, with: clifford mcp trust',
      ),
    ];
  const used = servers.filter(({ disabled }) => !disabled).length;
  if (used === 0) return [good(name, 'mcp.json: it names no server')];
  return [good(name, `mcp.json: ${count(used, 'server')}, which clifford mcp doctor starts and looks at`)];
}

/** Whether each channel that calls people elsewhere can be used, but for those with mistakes in the configuration. Nothing is sent. */
export async function checkNotify({ root, env }: DoctorContext, reading: ConfigReading): Promise<Check[]> {
  if (Object.keys(reading.config.notify.channels).length === 0) return [];
  try {
    const opened = await openRemotes({ root, env }, reading);
    const mistaken = new Set(reading.problems.map(channelOf));
    const others = opened.filter(({ name }) => !mistaken.has(name));
    return others.map(({ name, way }): Check => {
      const what = `notify:${name}`;
      if ('off' in way)
        return warning(
          what,
          `channel ${name} calls nobody: ${way.off}`,
          `See ${documentation('notifications')}`,
        );
      const text = `channel ${name} calls through ${way.channel.service}`;
      if (way.remark !== undefined) return warning(what, `${text}; ${way.remark.text}`, way.remark.fix);
      return good(what, `${text}; try it with clifford notify test ${name}`);
    });
  } catch (error) {
    return [brokenBy('notify', error)];
  }
}
