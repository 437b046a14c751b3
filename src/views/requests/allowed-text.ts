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
 * What a human is told who has allowed a call as it is: `Allowed, it runs when it is made again: npm test`.
 *
 * @param options.call - How it is named: from the root of its project, by so many characters at most. Absent: it stands beside what is said.
 */
export function allowedText(
  { asked }: Pick<RequestState, 'asked'>,
  {
    scope = 'once',
    call,
    ...hears
  }: Hears & {
    readonly scope: ApprovalScope | undefined;
    readonly call?: { readonly root: string; readonly most: number };
  },
): string {
  const said = `Allowed${scopeTexts[scope]}`;
  if (!call) return `${said}: ${whenItRuns(hears)}`;
  // What a call has at its end may be the end of a sentence, or look like it.
  const title = requestTitle({ ...asked, folder: call.root });
  return `${said}, ${whenItRuns(hears)}: ${clipMiddle(title, call.most)}`;
}
