import { CliffordError } from '../../errors.ts';
import type { ApprovalVerdict } from '../../events/approval.ts';
import { clip } from '../../lib/text/clip.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { callName } from './call-name.ts';

const YES = /^(?:y|yes|approve|approved|allow)[.!]?$/i;
/** A no may go on with its reason: what is misread here only stops a call. */
const NO = /^(?:n|no|deny|denied|reject|rejected)\b/i;

type Said = { readonly response: string; readonly rejected?: boolean | undefined };

/** What words in a file or after `clifford answer` say to a tool call. `undefined`: neither yes nor no. */
export function approvalVerdictOf({ response, rejected }: Said): ApprovalVerdict | undefined {
  const words = response.trim();
  if (rejected || NO.test(words)) return 'denied';
  return YES.test(words) ? 'approved' : undefined;
}

/** The words were no verdict. */
export function approvalUnclear({ id, asked }: RequestState, response: string): CliffordError {
  const call = asked.approval ? callName(asked.approval) : 'a tool call';
  const said = JSON.stringify(clip(response, 61));
  return new CliffordError(
    `Cannot answer ${id}: it asks whether ${call} may run, and ${said} is neither yes nor no`,
    {
      code: 'APPROVAL_UNCLEAR',
      fix: `Say yes or no, or: clifford approve ${id}, or: clifford deny ${id} --reason "…"`,
    },
  );
}
