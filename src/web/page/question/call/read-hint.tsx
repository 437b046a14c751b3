import type { MouseEvent } from 'react';
import { motion } from '../../parts/motion.ts';
import type { Unread } from '../use-read-to-end.ts';

/** Says why a call cannot be allowed yet: it was not read to its end, and leads there. By the id `read-hint`. */
export function ReadHint({ unread }: { readonly unread: Unread | undefined }) {
  return (
    <span id="read-hint" className="read-hint">
      {unread === 'pending' && (
        <span className="muted" role="status">
          Comparing files…
        </span>
      )}
      {unread === 'below' && (
        <button type="button" className="button plain" onClick={goToEnd}>
          Read it to its end first
        </button>
      )}
    </span>
  );
}

function goToEnd({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
  const body = currentTarget.form?.querySelector<HTMLElement>('.modal-body');
  // It goes once it has led there: the keyboard is where one reads.
  body?.focus({ preventScroll: true });
  // And nothing around it.
  body?.scrollTo({ top: body.scrollHeight, behavior: motion() });
}
