import { useEffect, useId, useRef } from 'react';
import { BackButton } from '../parts/back-button.tsx';
import { SendKeys } from '../parts/send-keys.tsx';
import { reasonOf, type Draft } from './draft.ts';

/** What is said with words of one's own. */
export type Saying = {
  readonly label: string;
  readonly button: string;
  /** Default: there may be none. */
  readonly isRequired?: boolean;
  /** They go with a no. Default: with a question back. */
  readonly isNo?: boolean;
};

type ReasonFieldProps = Saying & {
  /** What follows of it, where that is not plain. */
  readonly note?: string | undefined;
  readonly value: string;
  readonly isBusy: boolean;
  readonly onChange: (text: string) => void;
  readonly onBack: () => void;
};

type UnsentProps = {
  /** What each of them was to go with. */
  readonly sayings: Readonly<Record<string, Pick<Saying, 'label'>>>;
  readonly draft: Draft;
};

/** Words that were to go with something that cannot be said any more: to be read, and copied. */
export function UnsentReasons({ sayings, draft }: UnsentProps) {
  const id = useId();
  return Object.entries(sayings).map(([decision, { label }]) => {
    const words = reasonOf(draft, decision);
    return (
      words.trim() !== '' && (
        <div key={decision} className="reason">
          <label className="label" htmlFor={`${id}-${decision}`}>
            {label}
          </label>
          <textarea id={`${id}-${decision}`} className="field" rows={2} readOnly value={words} />
        </div>
      )
    );
  });
}

/** Words that go with a no, or a question back, and the button that sends both. */
export function ReasonField({
  note,
  label,
  button,
  value,
  isRequired,
  isNo,
  isBusy,
  onChange,
  onBack,
}: ReasonFieldProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className="reason">
      {note && <p id={`${id}-note`}>{note}</p>}
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        className="field"
        rows={2}
        aria-describedby={note && `${id}-note`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="modal-buttons">
        <BackButton onBack={onBack} />
        <span className="spring" />
        <button
          type="submit"
          className={isNo ? 'button danger' : 'button'}
          disabled={isBusy || (isRequired && value.trim() === '')}
        >
          {button} <SendKeys />
        </button>
      </div>
    </div>
  );
}
