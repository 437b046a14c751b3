import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

type TabsProps<T extends string> = {
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly name: string }[];
  readonly current: T;
  readonly onChoose: (tab: T) => void;
  readonly children: ReactNode;
};

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Several views in one place: arrows go from one to the next. */
export function Tabs<T extends string>({ label, tabs, current, onChoose, children }: TabsProps<T>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    if (step === undefined) return;
    const at = tabs.findIndex((tab) => tab.id === current);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  const strip = useRef<HTMLDivElement>(null);
  // Where there are more than fit, the one that is shown is in sight.
  useEffect(() => {
    const tab = document.getElementById(`${id}-${current}`);
    if (strip.current && tab)
      strip.current.scrollLeft = tab.offsetLeft - (strip.current.clientWidth - tab.offsetWidth) / 2;
  }, [id, current]);
  return (
    <>
      <div ref={strip} className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            className="tab"
            aria-selected={tab.id === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === current ? 0 : -1}
            onClick={() => onChoose(tab.id)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        tabIndex={0}
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current}`}
      >
        {children}
      </div>
    </>
  );
}
