import { useState } from 'react';
import type { SentQuestion } from '../../../api/question.ts';
import { Notice } from '../../parts/notice.tsx';

/** Says what is to be known of the files of a call that waits before it is decided on. */
export function FileNotices({ seen, ...how }: Pick<SentQuestion, 'seen'> & ComparisonNoticeProps) {
  const [first, setFirst] = useState(seen);
  // That may be found when its card is there already.
  if (first === undefined && seen !== undefined) setFirst(seen);
  return (
    <>
      {first !== undefined && seen !== first && (
        <Notice tone="wait" icon="warning" isUrgent>
          <strong>A file has changed meanwhile.</strong> Here is what the call would make of it as it is now.
        </Notice>
      )}
      <ComparisonNotice {...how} />
    </>
  );
}

type ComparisonNoticeProps = Pick<SentQuestion, 'comparison'> & {
  /** Whoever looks at it may decide on it, and is told what a yes is to. */
  readonly mayDecide: boolean;
};

/** Says of a call that names files when what it would make of them is not compared with them: nothing where it is. */
function ComparisonNotice({ comparison, mayDecide }: ComparisonNoticeProps) {
  switch (comparison) {
    case 'failed':
      return (
        <Notice tone="wait" icon="warning">
          <strong>Its files could not be compared.</strong> What the call would write is shown as the agent
          says it, and what stands there now is not.
        </Notice>
      );
    case 'withheld':
      return mayDecide ? (
        <Notice tone="wait" icon="warning">
          <strong>A yes is to these arguments, whatever its files have in them by then.</strong> What stands
          there is not shown, since others could read this connection: on that machine, or with TLS, it is.
        </Notice>
      ) : (
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
