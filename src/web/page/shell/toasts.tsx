import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Store, useStore } from '../connection/store.ts';
import { Icon } from '../parts/icon.tsx';
import { openDialog } from '../parts/modal.tsx';
import { useKeys } from '../parts/use-keys.ts';

type Toast = {
  readonly text: string;
  /** What it is said of, where that is not what is looked at. */
  readonly of: string | undefined;
  readonly isBad: boolean;
  /** Somebody else did it. */
  readonly isOthers: boolean;
  readonly number: number;
  /** The reader has closed it: its room is left. */
  readonly isClosed: boolean;
  /** When it was told, as `performance.now()` has it. */
  readonly at: number;
};

/** So long something is to be seen, in ms. */
const SHOWN_MS = 7_000;

const told = new Store<readonly Toast[]>([]);

type Telling = Partial<Omit<Toast, 'text' | 'number' | 'at' | 'isClosed'>>;

/**
 * Tells the reader what became of what they did, or what somebody else has done, which takes the place of nothing that they did
 * themselves. `of`: what it was done to, where something else may take its place.
 */
export function tell(text: string, { isBad = false, of, isOthers = false }: Telling = {}): void {
  const number = (told.value.at(-1)?.number ?? 0) + 1;
  const kept = isOthers ? told.value.filter((each) => !each.isOthers && !each.isClosed) : [];
  told.value = [...kept, { text, of, isBad, isOthers, number, isClosed: false, at: performance.now() }];
}

/** A key, of an address or of this tab, is not taken, and the page goes on with another one that it has. */
export function tellRefused(): void {
  tell('A token is not valid here: this page goes on with the one it had', { isBad: true });
}

/** What was said is of no use any more. */
export function forgetTold(): void {
  told.value = [];
}

/** Where that is said: at the lower edge, in the way of nothing, or in the dialog that is open, which lies over all else. */
export function Toasts() {
  const toasts = useStore(told);
  const dialog = useStore(openDialog);
  useKeys((event) => {
    // In a dialog it is the dialog's, and takes away what was to be seen for long enough.
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || dialog) return;
    if (toasts.length === 0) return;
    // It does nothing else then.
    event.preventDefault();
    forgetTold();
  });
  return createPortal(
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <Told key={toast.number} toast={toast} isKept={dialog !== undefined} />
      ))}
    </div>,
    dialog ?? document.body,
  );
}

/** With these something is done anyway: whoever scrolls or types presses nothing that could move away under their finger. */
const doings = ['keydown', 'wheel', 'touchmove'] as const;

/**
 * One of them: it goes when its own time is over. In a dialog, where it stands above what is pressed, it goes with the first key or
 * movement after that, and a problem stays until something else is said, or shown. There it can be closed, too: what it said is gone at once,
 * and its room, in which nothing is to be pressed, with the next key or movement: a second press meets nothing else.
 */
function Told({ toast, isKept }: { readonly toast: Toast; readonly isKept: boolean }) {
  const { text, of, isBad, isClosed } = toast;
  useEffect(() => {
    if (isKept && isBad && !isClosed) return;
    const gone = new AbortController();
    const forget = () => {
      told.value = told.value.filter((each) => each !== toast);
    };
    const listen = () => {
      for (const doing of doings)
        addEventListener(doing, forget, { passive: true, capture: true, signal: gone.signal });
    };
    // It is not told anew where the dialog is another one, or none any more.
    const leftMs = isClosed ? 0 : Math.max(0, toast.at + SHOWN_MS - performance.now());
    const timer = setTimeout(isKept ? listen : forget, leftMs);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [toast, isKept, isBad, isClosed]);
  return (
    <p className={`toast ${isBad ? 'tone-bad' : 'tone-good'}${isClosed ? ' is-closed' : ''}`}>
      <Icon name={isBad ? 'warning' : 'check'} />
      <span>
        {of !== undefined && <span className="toast-of">{of}</span>}
        <span>{text}</span>
      </span>
      {isKept && (
        <button
          type="button"
          className="button plain square"
          aria-label="Close this notice"
          onClick={() => {
            told.value = told.value.map((each) => (each === toast ? { ...each, isClosed: true } : each));
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </p>
  );
}
