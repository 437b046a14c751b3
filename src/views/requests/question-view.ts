import type { Revealed } from '../calls/call-card.ts';
import { describeRequest, type RequestView } from './describe-request.ts';
import { parkedFor } from '../../machines/parked.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';
import { askerOf } from './asker.ts';
import { byLogAlone, isAwaited, type IsAlive } from '../sprints/gone-agent.ts';

/** A question as `clifford questions` shows it: open, or how it ended. */
export type QuestionView = RequestView & {
  readonly asker: string;
  /** The arguments of a call as they will run, with `--reveal`; `null`: nobody has them any more. */
  readonly revealed?: Revealed | null;
  /** The rule that would have given the answers of humans to calls like it, in lines, where there is one. */
  readonly offer?: readonly string[];
  /** Its command line, taken apart, of a call that waits. */
  readonly command?: CommandParts;
  /** What stands now in the files that a call would change which waits. Of text only. */
  readonly files?: FilesNow | undefined;
  /** How many calls wait like it, itself among them, where it is not alone. Of text only. */
  readonly alike?: number;
  /** The attempt that asked; `undefined`: an agent that no runner started. */
  readonly askedBy: string | undefined;
  /** The agent is parked since then, RFC 3339: the answer starts it again. */
  readonly parkedSince: string | undefined;
};

/** The view of a question. @param isAlive - Default: what the log says counts. */
export function viewQuestion(
  request: RequestState,
  state: ProjectState,
  isAlive: IsAlive = byLogAlone,
): QuestionView {
  return {
    ...describeRequest(request),
    isAwaited: request.phase === 'open' && isAwaited(state.streams.get(request.stream), request, isAlive),
    asker: askerOf(request),
    askedBy: request.asked.origin.runId,
    parkedSince: parkedFor(state, request),
  };
}
