import { withRead } from './with-read.ts';
const PASTE = '\u001B[200~';
const PASTE_END = '\u001B[201~';
const CTRL_C = '\u0003';
const ESCAPE = '\u001B';

/** How long nothing more of a paste comes, in ms, until what has come of it is all: it may have lost its end on the way. */
const LOST_MS = 2_000;

/**
 * How long a paste waits behind Esc, in ms. Ink takes 20 to tell that key from the beginning of a sequence; with the mark of a
 * paste it would make one of it that it does not know, and keys of what is pasted.
 */
const ESCAPE_MS = 60;

/**
 * A keyboard whose pastes are all read as that, and come to an end: Ink waits for that of each, and takes no key before it.
 *
 * @param onRead - Told of what was typed, as it came, before it is read.
 */
export function keyboardStream(
  stdin: NodeJS.ReadStream,
  onRead: (chunk: string) => void = () => {},
): NodeJS.ReadStream {
  const pastes = new Pastes();
  let timer: NodeJS.Timeout | undefined;
  /** Runs while the last key may still be Esc to Ink, and no more than that. */
  let escape: NodeJS.Timeout | undefined;
  /** What waits for that. */
  let held = '';
  const lose = () => {
    // Whoever listens reads then.
    if (pastes.lose()) stdin.emit('readable');
  };
  const release = () => {
    escape = undefined;
    if (held !== '') stdin.emit('readable');
  };
  const take = (chunk: string): string => {
    onRead(chunk);
    const taken = pastes.take(pastes.isOpen ? chunk : withoutStrings(chunk));
    clearTimeout(timer);
    clearTimeout(escape);
    escape = undefined;
    // They keep nobody: who listens to keys is kept by them.
    if (pastes.isOpen) timer = setTimeout(lose, LOST_MS).unref();
    else if (chunk.endsWith(ESCAPE)) escape = setTimeout(release, ESCAPE_MS).unref();
    return taken;
  };
  const read = (): unknown => {
    const ended = pastes.ended();
    if (ended !== undefined) return ended;
    if (held !== '' && !escape) {
      const chunk = held;
      held = '';
      return take(chunk);
    }
    const chunk: unknown = stdin.read();
    if (typeof chunk !== 'string') return chunk;
    if (!escape || (held === '' && !mayBePaste(chunk))) return take(chunk);
    held += chunk;
    return null;
  };
  return withRead(stdin, read);
}

/** Follows the marks around what is pasted. */
class Pastes {
  /** `lost`: the last one was ended here, and more of it may come. */
  #last: 'ended' | 'open' | 'lost' = 'ended';
  /** What may be the beginning of a mark. */
  #tail = '';
  #isToEnd = false;

  get isOpen(): boolean {
    return this.#last === 'open';
  }

  /** Ends one that is open. */
  lose(): boolean {
    if (!this.isOpen) return false;
    this.#last = 'lost';
    this.#isToEnd = true;
    return true;
  }

  /** The mark that is missing, once. */
  ended(): string | undefined {
    if (!this.#isToEnd) return undefined;
    this.#isToEnd = false;
    return PASTE_END;
  }

  /** What has come, as it is to be read. */
  take(chunk: string): string {
    // No text is made of it: it is the key, which leads out of everything.
    if (this.isOpen && chunk.replaceAll(CTRL_C, '') === '') {
      this.#last = 'lost';
      return PASTE_END + chunk;
    }
    if (this.#last === 'lost') {
      const end = chunk.indexOf(PASTE_END);
      if (end === -1 && !isOneKey(chunk)) return PASTE + chunk + PASTE_END;
      this.#last = 'ended';
      if (end !== -1) return PASTE + this.#follow(chunk);
    }
    return this.#follow(chunk);
  }

  #follow(chunk: string): string {
    const text = this.#tail + chunk;
    this.#tail = text.slice(1 - PASTE.length);
    const begin = text.lastIndexOf(PASTE);
    const end = text.lastIndexOf(PASTE_END);
    this.#last = begin > end || (this.isOpen && end === -1) ? 'open' : 'ended';
    return chunk;
  }
}

/** What terminals report as a string: others have asked for it, and Ink would take it for keys. */
// oxlint-disable-next-line no-control-regex -- this is how a terminal says it
const strings = /\u001B[\]P_^X][^\u0007\u001B]*(?:\u0007|\u001B\\)/gu;

/** Keys without them; what is pasted is as it is. */
function withoutStrings(chunk: string): string {
  return chunk.includes(PASTE) ? chunk : chunk.replaceAll(strings, '');
}

/** It is what begins a paste, or the beginning of that. */
function mayBePaste(chunk: string): boolean {
  return chunk.startsWith(PASTE) || PASTE.startsWith(chunk);
}

/** And not the rest of a text. */
function isOneKey(chunk: string): boolean {
  return chunk.startsWith('\u001B') || Array.from(chunk).length === 1;
}
