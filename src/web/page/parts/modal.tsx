import { useEffect, useRef, type ReactNode } from 'react';
import { Store } from '../connection/store.ts';
import { focusMain } from './focus-main.ts';

/** The dialog that is open: what is to be seen over it has to be drawn in it. */
export const openDialog = new Store<HTMLDialogElement | undefined>(undefined);

type ModalProps = {
  /** The id of the heading that names it. */
  readonly labelledBy: string;
  readonly className?: string;
  /** Escape, and nothing else: who taps beside it decides nothing. */
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/**
 * A dialog over the page. The browser keeps the keyboard inside of it, and gives it back to where it was; what has
 * `data-first` gets it at the beginning.
 */
export function Modal({ labelledBy, className = '', onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (!element?.open) element?.showModal();
    openDialog.value = element ?? undefined;
    element?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true });
    return () => {
      element?.close();
      if (openDialog.value === element) openDialog.value = undefined;
      // What it was opened from may have been drawn anew meanwhile, and it may have come up by itself.
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      if (isThere) before.focus();
      else focusMain();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`modal ${className}`}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
    >
      {children}
    </dialog>
  );
}
