import type { RefObject } from 'react';

type ReadHintProps = {
  readonly isUnread: boolean;
  /** What is to be read is not all there yet. */
  readonly isComparing: boolean;
  /** What has to be in sight. */
  readonly end: RefObject<HTMLElement | null>;
};

/** Says why a call cannot be allowed yet: it was not read to its end, and leads there. By the id `read-hint`. */
export function ReadHint({ isUnread, isComparing, end }: ReadHintProps) {
  const goToEnd = () => {
    const body = end.current?.closest<HTMLElement>('.modal-body');
    // It goes once it has led there: the keyboard is where one reads.
    body?.focus({ preventScroll: true });
    // And nothing around it.
    body?.scrollTo({ top: body.scrollHeight });
  };
  return (
    <span id="read-hint" className="read-hint">
      {isComparing && (
        <span className="muted" role="status">
          Comparing files…
        </span>
      )}
      {isUnread && !isComparing && (
        <button type="button" className="button plain" onClick={goToEnd}>
          Read it to its end first
        </button>
      )}
    </span>
  );
}
