import type { ApprovalScope } from '../../events/approval.ts';
import { clipMiddle } from '../../lib/text/clip.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { requestTitle } from './request-title.ts';

/** Who hears of the yes to a call: an agent that waits for it, one that was ended to be started again with it, or nobody yet. */
export type Hears = { readonly isAwaited: boolean; readonly isParked: boolean };

const scopeTexts: Readonly<Record<ApprovalScope, string>> = {
  once: '',
  task: ' in this task',
  sprint: ' in this sprint',
  always: ' always',
};

/** What follows from the yes to a call. */
export function whenItRuns({ isAwaited, isParked }: Hears): string {
  if (isParked) return 'its agent starts again';
  return isAwaited ? 'it runs' : 'it runs when it is made again';
}

/**
 * What a human is told who has allowed a call as it is: `Allowed: npm test. It runs when it is made again`.
 *
 * @param options.root - Of the project.
 * @param options.most - So much names the call, in characters.
 */
export function allowedText(
  { asked }: Pick<RequestState, 'asked'>,
  {
    scope = 'once',
    root,
    most,
    ...hears
  }: Hears & {
    readonly scope: ApprovalScope | undefined;
    readonly root: string;
    readonly most: number;
  },
): string {
  const call = clipMiddle(requestTitle({ ...asked, folder: root }), most);
  const [first = '', ...rest] = whenItRuns(hears);
  return `Allowed${scopeTexts[scope]}: ${call}. ${first.toUpperCase()}${rest.join('')}`;
}
