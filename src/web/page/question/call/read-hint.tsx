import type { RefObject } from 'react';

type ReadHintProps = {
  readonly isRead: boolean;
  /** What has to be in sight. */
  readonly end: RefObject<HTMLElement | null>;
};

/** Says that what is asked was not read to its end yet, and leads there: by the id `read-hint`. */
export function ReadHint({ isRead, end }: ReadHintProps) {
  const goToEnd = () => {
    const body = end.current?.closest<HTMLElement>('.modal-body');
    // It goes once it has led there: the keyboard is where one reads.
    body?.focus({ preventScroll: true });
    // And nothing around it.
    body?.scrollTo({ top: body.scrollHeight });
  };
  return (
    <span id="read-hint" className="read-hint">
      {!isRead && (
        <button type="button" className="button plain" onClick={goToEnd}>
          Read it to its end first
        </button>
      )}
    </span>
  );
}
