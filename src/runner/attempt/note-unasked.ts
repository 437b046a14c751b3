import { unaskedText } from '../../events/descriptors/tool-events.ts';
import type { UnaskedCall } from '../../gateway/permission/unasked-call.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { Attempt } from './attempt.ts';

/** What an attempt is to who watches what its agent does. */
export type Remarked = Pick<Attempt, 'noteFact' | 'remark' | 'stop'>;

/** Records and shows what an agent did without asking, and ends its attempt where the policy says so. */
export function noteUnasked(
  attempt: Remarked,
  subject: string,
  { data, stops, hasFailed }: UnaskedCall & { readonly hasFailed: boolean },
): void {
  const text = visibleLine(unaskedText(data));
  attempt.noteFact({ type: 'tool.unasked', subject, data });
  attempt.remark(text);
  // One that failed may be one that the agent has refused by itself.
  if (stops && !hasFailed) attempt.stop('unasked', `the agent did what it may not: ${text}`);
}
