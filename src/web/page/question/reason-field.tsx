import { useEffect, useId, useRef } from 'react';
import { SendKeys } from '../parts/send-keys.tsx';
import { useEscape } from '../parts/use-escape.ts';

type ReasonFieldProps = {
  /** What follows of it, where that is not plain. */
  readonly note?: string | undefined;
  readonly label: string;
  readonly button: string;
  readonly value: string;
  readonly isRequired: boolean;
  /** With it something is refused. */
  readonly isNo: boolean;
  readonly isBusy: boolean;
  readonly onChange: (text: string) => void;
  readonly onBack: () => void;
};

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
  useEscape(onBack);
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
        <button type="button" className="button plain" onClick={onBack}>
          Back
        </button>
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
