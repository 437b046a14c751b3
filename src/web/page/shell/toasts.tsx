import { useEffect } from 'react';
import { Store, useStore } from '../connection/store.ts';
import { Icon } from '../parts/icon.tsx';

type Toast = { readonly text: string; readonly isBad: boolean; readonly number: number };

/** So long something is to be seen, in ms. */
const SHOWN_MS = 7_000;

const last = new Store<Toast | undefined>(undefined);

/** Tells the reader what became of what they did. */
export function tell(text: string, { isBad = false } = {}): void {
  last.value = { text, isBad, number: (last.value?.number ?? 0) + 1 };
}

/** Where that is said: at the lower edge, in the way of nothing. */
export function Toasts() {
  const toast = useStore(last);
  useEffect(() => {
    if (!toast) return;
    const timer = setTimeout(() => (last.value = undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toast && (
        <p key={toast.number} className={`toast ${toast.isBad ? 'tone-bad' : 'tone-good'}`}>
          <Icon name={toast.isBad ? 'warning' : 'check'} />
          {toast.text}
        </p>
      )}
    </div>
  );
}
