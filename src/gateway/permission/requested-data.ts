import type { EventData } from '../../events/catalog.ts';
import { digestOf } from '../../lib/digest.ts';
import type { Project } from '../../workflow/project/project.ts';
import { shownArguments } from '../../workflow/requests/shown-arguments.ts';
import type { AgentCall } from './agent-call.ts';
import { serverOfAgent } from '../../events/agent-server.ts';

/** Longest title and path that is kept, in UTF-16 units, and how many paths. */
const MAX_LENGTH = 1_000;
const MAX_PATHS = 50;

/** Whose call it is, and what hides its secrets. */
type Caller = {
  readonly callId: string;
  /** The agent's name. */
  readonly name: string;
  readonly runId: string | undefined;
  readonly project: Pick<Project, 'hideSecrets'>;
};

/** How a call of an agent's own tool is written down: without secrets, and no longer than people read. */
export function requestedData(
  { kind, title, args, paths, elsewhere }: Pick<AgentCall, 'kind' | 'title' | 'args' | 'paths' | 'elsewhere'>,
  { callId, name, runId, project }: Caller,
): EventData<'tool.requested'> {
  const kept = keptPaths(paths);
  return {
    callId,
    server: serverOfAgent(name),
    tool: kind,
    args: shownArguments(args, project.hideSecrets).args,
    argsDigest: digestOf(args ?? null),
    runId,
    ...(title === '' ? {} : { title: title.slice(0, MAX_LENGTH) }),
    ...(kept.length === 0 ? {} : { paths: kept }),
    ...(elsewhere === undefined ? {} : { elsewhere }),
  };
}

/** The paths of a call that are written down. */
export function keptPaths(paths: AgentCall['paths']): string[] {
  return paths.slice(0, MAX_PATHS).map((path) => path.slice(0, MAX_LENGTH));
}

/** Whether a call that was written down may have had more paths, or longer ones. */
export function arePathsCut({ paths = [] }: Pick<EventData<'tool.requested'>, 'paths'>): boolean {
  return paths.length >= MAX_PATHS || paths.some(({ length }) => length >= MAX_LENGTH);
}
