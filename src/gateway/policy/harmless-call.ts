import { relative, resolve } from 'node:path';
import { WRITING_KINDS, type AgentCall } from '../permission/agent-call.ts';
import { namesSettings } from './agent-settings.ts';
import { isBelow } from './path-below.ts';
import { folderOfPattern } from './pattern-folder.ts';
import type { Ground } from './rule-match.ts';

/** The project, and how its links are followed. */
type Project = Ground & { readonly root: string };

/** Whether a call without a command stays in the project, and nothing of it is lost. */
export function isHarmless(call: AgentCall, project: Project): boolean {
  if (call.hosts.length > 0 || call.isUnclear === true || call.deletes === true) return false;
  if (call.kind === 'think' && call.paths.length === 0) return true;
  if (!isInside(call.cwd, call, project)) return false;
  if (!['read', 'search', 'edit', 'move'].includes(call.kind)) return false;
  if (call.paths.length === 0) return call.kind === 'search';
  // Where to is not said.
  if (call.kind === 'move' && call.paths.length < 2) return false;
  if (!call.paths.every((path) => isInside(path, call, project) || looksInside(path, call, project)))
    return false;
  return !WRITING_KINDS.includes(call.kind) || !call.paths.some((path) => isOfAgents(path, call, project));
}

/** Whether a path leads into the project from the folder of a call. */
export function isInside(path: string, { cwd }: Pick<AgentCall, 'cwd'>, project: Project): boolean {
  const { root, throughLinks } = project;
  return isBelow(path, root, { root, cwd, throughLinks }) === 'yes';
}

/** Settings of agents say what need not be asked about, and what is started. The project itself may lie below some. */
function isOfAgents(path: string, { cwd }: Pick<AgentCall, 'cwd'>, { root, throughLinks }: Project): boolean {
  const whole = resolve(cwd, path);
  return [whole, throughLinks?.(whole) ?? whole].some((each) => namesSettings(relative(root, each)));
}

function looksInside(path: string, call: Pick<AgentCall, 'kind' | 'cwd'>, project: Project): boolean {
  const folder = call.kind === 'search' ? folderOfPattern(path) : undefined;
  return folder !== undefined && isInside(folder, call, project);
}
