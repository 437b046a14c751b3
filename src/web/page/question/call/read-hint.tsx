import type { RefObject } from 'react';

type ReadHintProps = {
  readonly isRead: boolean;
  /** What has to be in sight. */
  readonly end: RefObject<HTMLElement | null>;
};

/** Says that what is asked was not read to its end yet, and leads there: by the id `read-hint`. */
export function ReadHint({ isRead, end }: ReadHintProps) {
  const goToEnd = () => {
    // It goes once it has led there: the keyboard is where one reads.
    end.current?.closest<HTMLElement>('.modal-body')?.focus({ preventScroll: true });
    end.current?.scrollIntoView();
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
