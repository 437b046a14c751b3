import type { ReadToEnd } from '../use-read-to-end.ts';

/** Says why a call cannot be allowed yet, and leads to what was not read of it. By the id `read-hint`. */
export function ReadHint({ unread, onLead }: Pick<ReadToEnd, 'unread' | 'onLead'>) {
  return (
    <span id="read-hint" className="read-hint">
      {unread === 'pending' && (
        <span className="muted" role="status">
          Comparing files…
        </span>
      )}
      {(unread === 'above' || unread === 'below') && (
        <button
          ref={keyboardBack}
          type="button"
          className="button plain"
          // The second click of two would lead on from where the first one does.
          onClick={({ detail }) => detail < 2 && onLead()}
        >
          {unread === 'above' ? 'Read it from its beginning' : 'Read it to its end first'}
        </button>
      )}
    </span>
  );
}

/** Once the button is gone, the keyboard is where one reads if it was on it. */
function keyboardBack(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button)
      button.form?.querySelector<HTMLElement>('.modal-body')?.focus({ preventScroll: true });
  };
}
