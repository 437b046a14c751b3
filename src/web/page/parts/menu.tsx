import { useRef, type ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** Buttons that are seldom pressed, behind one. */
export function Menu({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute('open');
  return (
    <details
      ref={menu}
      className="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        event.preventDefault();
        close();
        menu.current?.querySelector('summary')?.focus();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      <summary className="button square" aria-label={name}>
        <Icon name="more" />
      </summary>
      <div
        className="menu-items"
        // A dialog that an item opens gives the keyboard back to what had it: the item is hidden by then.
        onClickCapture={() => menu.current?.querySelector('summary')?.focus()}
        onClick={close}
      >
        {children}
      </div>
    </details>
  );
}
