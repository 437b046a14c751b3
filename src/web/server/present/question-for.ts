import type { RequestState } from '../../../machines/project-state.ts';
import type { SentQuestion } from '../../api/question.ts';
import type { Caller } from '../callers/caller.ts';
import type { Serving } from '../serving.ts';
import { presentQuestion } from './present-question.ts';
import { isAlwaysTaken, isPrivateDecider } from './present-state.ts';

/** A question as a caller may see it: files of the disk, and a yes that stands, are not for everybody. */
export function questionFor(request: RequestState, caller: Caller, serving: Serving): SentQuestion {
  const { project, extras, processes } = serving;
  return presentQuestion(request, project.state, {
    mayAlways: isAlwaysTaken(caller, serving),
    extras: extras.of(request, { seesFiles: isPrivateDecider(caller, serving) }),
    root: project.root,
    isAlive: processes.isAlive,
  });
}
