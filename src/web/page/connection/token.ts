const KEY = 'clifford.token';
/** Of an address that was opened in this tab, until the server takes it: it is anybody's word. */
const GIVEN = 'clifford.token.given';

/** The page is about to be loaded anew, with another key: what becomes of this one is of no interest. */
let isLeaving = false;

/**
 * The token of this page, from its address (`#t=…`), of which it is taken out at once, from this tab, or from this device
 * where it was to be remembered; `undefined`: there is none.
 */
export function takeToken(): string | undefined {
  const given = tokenIn(location.hash);
  if (given !== undefined) {
    write(sessionStorage, GIVEN, given);
    const rest = new URLSearchParams(location.hash.slice(1));
    rest.delete('t');
    history.replaceState(null, '', rest.size > 0 ? `#${rest.toString()}` : location.pathname);
  }
  return given ?? stored(sessionStorage, GIVEN) ?? takenBefore();
}

/** Keeps a token for this tab; on this device, where one is remembered there or is to be. */
export function keepToken(token: string, isRemembered = isTokenRemembered()): void {
  if (isLeaving) return;
  write(sessionStorage, GIVEN, undefined);
  write(sessionStorage, KEY, token);
  write(localStorage, KEY, isRemembered ? token : undefined);
}

/** Whether the key outlives this tab. */
function isTokenRemembered(): boolean {
  return stored(localStorage, KEY) !== undefined;
}

/** Forgets the key of this tab, which is not taken. Returns another one to go on with, of this tab or device, if there is one. */
export function dropToken(refused: string | undefined): string | undefined {
  if (isLeaving) return undefined;
  write(sessionStorage, stored(sessionStorage, GIVEN) === undefined ? KEY : GIVEN, undefined);
  return takenBefore(refused);
}

/** The key of this tab or device that a server has taken. */
function takenBefore(refused?: string): string | undefined {
  return [sessionStorage, localStorage]
    .map((storage) => stored(storage, KEY))
    .find((key) => key !== undefined && key !== refused);
}

/** Goes on with the key of another start that is opened in the same tab: a browser loads nothing for what stands behind the `#`. */
export function onOtherKey(): void {
  addEventListener('hashchange', () => {
    if (tokenIn(location.hash) === undefined) return;
    takeToken();
    leave();
  });
}

/** Goes on with another key: the page is loaded anew, since the server may have another one. */
export function unlock(token: string, isRemembered?: boolean): void {
  keepToken(token, isRemembered);
  leave();
}

function leave(): void {
  isLeaving = true;
  location.reload();
}

/** The token in an address that somebody pasted, or the token itself; `undefined`: it is neither. */
export function tokenIn(text: string): string | undefined {
  const [, fragment] = /#(.*)$/s.exec(text.trim()) ?? [];
  if (fragment !== undefined) return new URLSearchParams(fragment).get('t') ?? undefined;
  return /^[\w.~-]{16,}$/.test(text.trim()) ? text.trim() : undefined;
}

function stored(storage: Storage, name: string): string | undefined {
  try {
    return storage.getItem(name) ?? undefined;
  } catch {
    // A browser that keeps nothing.
    return undefined;
  }
}

function write(storage: Storage, name: string, token: string | undefined): void {
  try {
    if (token === undefined) storage.removeItem(name);
    else storage.setItem(name, token);
  } catch {
    // A browser that keeps nothing: the address has the key.
  }
}
