const KEY = 'clifford.token';

/**
 * The token of this page, from its address (`#t=…`), of which it is taken out at once, from this tab, or from this device
 * where it was to be remembered; `undefined`: there is none.
 */
export function takeToken(): string | undefined {
  const given = tokenIn(location.hash);
  if (given !== undefined) {
    // It is anybody's word until the server takes it: what this device remembers stays.
    write(sessionStorage, given);
    const rest = new URLSearchParams(location.hash.slice(1));
    rest.delete('t');
    history.replaceState(null, '', rest.size > 0 ? `#${rest.toString()}` : location.pathname);
  }
  return given ?? stored(sessionStorage) ?? stored(localStorage);
}

/** Keeps a token for this tab; on this device, where one is remembered there or is to be. */
export function keepToken(token: string, isRemembered = isTokenRemembered()): void {
  write(sessionStorage, token);
  write(localStorage, isRemembered ? token : undefined);
}

/** Whether the key outlives this tab. */
function isTokenRemembered(): boolean {
  return stored(localStorage) !== undefined;
}

/** Forgets the key of this tab, which is not taken: the next time that of this device is tried, where there is one. */
export function dropToken(): void {
  write(sessionStorage, undefined);
}

/**
 * Goes on with the key of another start that is opened in the same tab: a browser loads nothing for what stands behind the `#`.
 *
 * @param leave - Called before the page is loaded anew.
 */
export function onOtherKey(leave: () => void): void {
  addEventListener('hashchange', () => {
    if (tokenIn(location.hash) === undefined) return;
    leave();
    takeToken();
    location.reload();
  });
}

/** The token in an address that somebody pasted, or the token itself; `undefined`: it is neither. */
export function tokenIn(text: string): string | undefined {
  const [, fragment] = /#(.*)$/s.exec(text.trim()) ?? [];
  if (fragment !== undefined) return new URLSearchParams(fragment).get('t') ?? undefined;
  return /^[\w.~-]{16,}$/.test(text.trim()) ? text.trim() : undefined;
}

function stored(storage: Storage): string | undefined {
  try {
    return storage.getItem(KEY) ?? undefined;
  } catch {
    // A browser that keeps nothing.
    return undefined;
  }
}

function write(storage: Storage, token: string | undefined): void {
  try {
    if (token === undefined) storage.removeItem(KEY);
    else storage.setItem(KEY, token);
  } catch {
    // A browser that keeps nothing: the address has the key.
  }
}
