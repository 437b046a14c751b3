import { describeRequest, type RequestView } from '../requests/describe-request.ts';
import { folderOfCall, type FolderOf } from '../calls/folder-of-call.ts';
import { shownAnswer } from '../calls/shown-words.ts';
import { describeSprint, type SprintView } from './describe-sprint.ts';
import type { ApprovalScope } from '../../events/approval.ts';
import {
  createSprintState,
  type ProjectState,
  type RequestState,
  type SprintState,
} from '../../machines/project-state.ts';
import { possibleScopes } from '../../machines/approval-scopes.ts';
import { askerOf } from '../requests/asker.ts';
import { possibleActs, type PossibleActs } from './possible-acts.ts';
import { byUrgency } from '../requests/request-order.ts';

/** An open question, with who asks it, and the answer it follows when the agent repeats itself. */
export type Question = RequestView & {
  readonly asker: string;
  readonly earlierAnswer: string | undefined;
  /** For how much a yes to its call can stand; none, when it asks about no call. */
  readonly scopes: readonly ApprovalScope[];
  /** Where its agent works: the files of a call of its own tools are named from there. Default: they stand as they were named. */
  readonly folder?: string | undefined;
};

/** What the screen shows of a sprint. */
export type ScreenView = Omit<SprintView, 'open'> & {
  readonly open: readonly Question[];
  readonly possible: PossibleActs;
};

/**
 * The plain view of a stream; of an empty sprint when nothing was recorded about it yet.
 *
 * @param folderOf - Default: nothing is said of where its agents work.
 */
export function describeScreen(state: ProjectState, stream: string, folderOf?: FolderOf): ScreenView {
  const sprint = state.streams.get(stream) ?? createSprintState(stream);
  const open = [...sprint.requests.values()].filter(({ phase }) => phase === 'open');
  return {
    ...describeSprint(sprint, state.limits),
    open: open.map((request) => describeQuestion({ state, sprint, folderOf }, request)).sort(byUrgency),
    possible: possibleActs(state, sprint),
  };
}

type AskedIn = {
  readonly state: ProjectState;
  readonly sprint: SprintState;
  readonly folderOf: FolderOf | undefined;
};

function describeQuestion({ state, sprint, folderOf }: AskedIn, request: RequestState): Question {
  const { follows, approval } = request.asked;
  const earlier = follows === undefined ? undefined : sprint.requests.get(follows);
  return {
    ...describeRequest(request),
    asker: askerOf(request),
    earlierAnswer: earlier?.answer && shownAnswer(earlier.asked, earlier.answer),
    folder: folderOfCall(request, sprint, folderOf),
    scopes: approval ? possibleScopes(state, request) : [],
  };
}
