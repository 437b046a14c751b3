const isMac = /Mac|iP/.test(navigator.userAgent);

/** The keys that send a form, as the keyboard of this machine has them. */
export function SendKeys() {
  return <kbd aria-hidden="true">{isMac ? '⌘↵' : 'Ctrl+Enter'}</kbd>;
}
