import type { KeyboardEvent } from 'react';

/** Ctrl+Enter, or Cmd+Enter, in a field of a form sends the form: to be its `onKeyDown`. */
export function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
