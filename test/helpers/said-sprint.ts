import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentHere } from './agent-here.ts';
import { writeConfig } from './config-files.ts';
import { freshSprint } from './sprint-run.ts';

// What Codex prints, as recorded: short, and with a session, usage, limits and errors.

/** It works in this session. */
export const opened = (id: string): string => `{"type":"thread.started","thread_id":"${id}"}`;

/** Its turn is over. Tokens are those of the session. */
export const turn = (input: number, output: number): string =>
  `{"type":"turn.completed","usage":{"input_tokens":${input},"cached_input_tokens":0,"output_tokens":${output}}}`;

/** It says something: it works on. */
export const said = (text: string): string =>
  `{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"${text}"}}`;

/** Its turn has failed. */
export const turnFailed = (message: string): string =>
  `{"type":"turn.failed","error":{"message":${JSON.stringify(message)}}}`;

/** Its turn has failed, since its provider refuses more. */
export const refused = (hint: string): string =>
  turnFailed(`You’ve hit your usage limit. Upgrade to Pro or ${hint}.`);

/** A hint as Codex writes it: in local time, without seconds. */
export function tryAgainAt(ms: number): string {
  const date = new Date(ms);
  const day = date.toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
  const time = date.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
  return `try again at ${day}th, ${date.getFullYear()} ${time}`;
}

/** A command that says what stands in the project for it, and its form that goes on with a session. */
export const sayingAgent = (name: string): { command: string; resume: string; output: 'codex' } => ({
  command: agentHere('say', name),
  resume: agentHere('say', name, '--resume', '{session}'),
  output: 'codex',
});

/** A sprint with one task, unless said otherwise, and what its agents `main` and `other` say: by name and attempt. */
export async function saidSprint(
  says: Readonly<Record<string, readonly string[]>>,
  config: object = {},
  tasks: readonly string[] = ['a'],
): Promise<Awaited<ReturnType<typeof freshSprint>> & { configure: (more: object) => Promise<void> }> {
  const sprint = await freshSprint({ tasks });
  const scripts = Object.entries(says).map(([key, lines]) =>
    writeFile(join(sprint.root, `say-${key}.jsonl`), `${lines.join('\n')}\n`),
  );
  await Promise.all(scripts);
  const agents = { main: sayingAgent('main'), other: sayingAgent('other') };
  const configure = async (more: object) => {
    await writeConfig(join(sprint.root, 'clifford.json'), { agent: 'main', agents, ...config, ...more });
  };
  await configure({});
  return { ...sprint, configure };
}
