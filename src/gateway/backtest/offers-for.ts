import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { loadMcpConfig } from '../config/load-mcp-config.ts';
import { agentGround } from '../permission/agent-ground.ts';
import { readCalls } from './read-calls.ts';
import { offerLines } from './rule-text.ts';
import { offeredRule } from './suggest-rules.ts';

/**
 * What the cards of calls that wait offer beside yes and no, by the id of the request: the rule that humans have given
 * by their answers so far, in lines. Reads what the log has of calls; nothing where none of these waits.
 *
 * @throws {CliffordError} `LOG_CORRUPT`, `LOG_NEWER`
 */
export async function offersFor(
  project: Pick<Project, 'log' | 'root'>,
  waiting: readonly Pick<RequestState, 'id'>[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (waiting.length === 0) return new Map();
  const { root } = project;
  const { policy, servers } = await loadMcpConfig({ root, env });
  if ('unreadable' in policy) return new Map();
  const known = { calls: await readCalls(project), policy, ground: { ...agentGround(root, env), servers } };
  const offers = waiting.flatMap(({ id }) => {
    const rule = offeredRule(id, known);
    return rule ? [[id, offerLines(rule)] as const] : [];
  });
  return new Map(offers);
}
