import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { agentCmd, freshSprint, taskBecomes } from '../../helpers/sprint-run.ts';

/** How a run ends whose tasks are done. */
export const done = { outcome: 'completed', reason: 'all tasks are done' };
/** Who decides. */
export const human = { by: 'ann', via: 'cli' };

/** The last step of an agent that completes its task by Clifford's tool: that takes a server more. */
export const completeByTool = {};

/** A sprint of one task whose agent is spoken with over the Agent Client Protocol. */
export type AcpSprint = Awaited<ReturnType<typeof acpSprint>>;

/**
 * A sprint whose agent takes these steps, then completes its task. `policy`: of `mcp.json`; `agent`: more of it; `config`: more of
 * `clifford.json`.
 */
export async function acpSprint(
  steps: readonly object[],
  policy?: object,
  agent: object = {},
  config: object = {},
) {
  const sprint = await freshSprint();
  const { root, dir } = sprint;
  const byTool = { tool: 'update_task_status', args: { sprintDir: dir, taskId: 'a', status: 'completed' } };
  const own = steps.map((step) => (step === completeByTool ? byTool : step));
  const all = steps.includes(completeByTool) ? own : [...own, { completes: 'a' }];
  await writeFile(join(root, 'acp-steps.json'), JSON.stringify(all));
  await writeFile(
    join(root, 'clifford.json'),
    JSON.stringify({
      ...config,
      agent: 'fake',
      agents: { fake: { command: agentCmd('acp-agent'), via: 'acp', ...agent } },
    }),
  );
  if (policy) await writeFile(join(root, 'mcp.json'), JSON.stringify({ policy }));
  const has = (name: string) => existsSync(join(root, name));
  const prompts = async () => (await readFile(join(root, 'acp-prompts.jsonl'), 'utf8')).trim().split('\n');
  return { ...sprint, has, prompts };
}

/** The call that waits for a human, once there is one. */
export async function openCall(project: Project): Promise<string> {
  await taskBecomes(project, 'blocked.approval');
  return findRequest(await project.refresh(), 'last').id;
}

/** Those of one type. */
export function ofType<Type extends StoredEvent['type']>(events: readonly StoredEvent[], type: Type) {
  return events.filter((event): event is StoredEvent & { type: Type } => event.type === type);
}
