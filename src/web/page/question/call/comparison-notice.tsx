import type { SentQuestion } from '../../../api/question.ts';
import { Notice } from '../../parts/notice.tsx';

/** Says of a call that names files when what it would make of them is not compared with them: nothing where it is. */
export function ComparisonNotice({ comparison }: Pick<SentQuestion, 'comparison'>) {
  switch (comparison) {
    case 'failed':
      return (
        <Notice tone="wait" icon="warning">
          <strong>Its files could not be compared.</strong> What the call would write is shown as the agent
          says it, and what stands there now is not.
        </Notice>
      );
    case 'withheld':
      return (
        <Notice tone="calm" icon="info">
          What stands in its files is not shown here: it is for who decides, on this machine or with TLS.
        </Notice>
      );
    // That stands where it is allowed: it waits for it.
    case 'pending':
    case 'done':
    case undefined:
      return null;
  }
}
