import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { SentCall } from '../../../api/question.ts';
import { Exact } from '../../parts/agent-text.tsx';

/** For how much a yes can stand beyond the call itself. */
export type WideScope = 'task' | 'sprint' | 'always';

const names: Readonly<Record<WideScope, string>> = {
  task: 'In this task',
  sprint: 'In this sprint',
  always: 'Always, in this project',
};

type ScopeChoiceProps = {
  readonly call: SentCall;
  readonly scopes: readonly WideScope[];
  readonly isReady: boolean;
  readonly onSend: (scope: WideScope) => void;
  /** One step back, also with Escape. */
  readonly back: ReactNode;
  /** Why it is not ready. */
  readonly hint: ReactNode;
};

/** A yes that stands for more than this call: what exactly it lets through from then on. */
export function ScopeChoice({ call, scopes, isReady, onSend, back, hint }: ScopeChoiceProps) {
  const name = useId();
  const [chosen, setChosen] = useState<WideScope>();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => group.current?.querySelector('input')?.focus(), []);
  return (
    <div className="reason">
      <fieldset ref={group} className="options">
        <legend className="label">
          Allow it, and from then on without asking:{' '}
          {call.agent === undefined ? (
            <>
              every call of <Exact text={`${call.server}/${call.tool}`} />, whatever its arguments
            </>
          ) : (
            'exactly this call, and no other'
          )}
        </legend>
        {scopes.map((scope) => (
          <label key={scope} className="option option-choice">
            <input type="radio" name={name} checked={scope === chosen} onChange={() => setChosen(scope)} />
            <span className="option-label">{names[scope]}</span>
          </label>
        ))}
      </fieldset>
      <div className="modal-buttons">
        {back}
        <span className="spring" />
        {hint}
        <button
          type="button"
          className="button"
          aria-disabled={!isReady || chosen === undefined}
          aria-describedby="read-hint"
          onClick={() => isReady && chosen && onSend(chosen)}
        >
          Allow
        </button>
      </div>
    </div>
  );
}
