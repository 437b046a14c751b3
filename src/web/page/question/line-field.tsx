import { useEffect, useRef, useState } from 'react';
import { SECRET_ASKED_TEXT } from '../../../views/requests/secret-asked-text.ts';

type LineFieldProps = {
  readonly id: string;
  readonly text: string;
  /** Nobody who looks on is to read it. */
  readonly isSecret: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (text: string) => void;
};

/** One line for a program, character by character; a secret is hidden until it is to be shown. */
export function LineField({ id, text, isSecret, isDisabled, onChange }: LineFieldProps) {
  const [isShown, setShown] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Where nothing is done yet, what is typed next is for it; on a phone its keyboard would cover what is asked.
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches && document.activeElement?.matches('[data-first]'))
      field.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div className="line-field">
        <input
          ref={field}
          id={id}
          className="field mono"
          type={isSecret && !isShown ? 'password' : 'text'}
          value={text}
          disabled={isDisabled}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          aria-describedby={isSecret ? `${id}-warning` : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
        {isSecret && (
          <button type="button" className="button" onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </button>
        )}
      </div>
      {isSecret && (
        <p id={`${id}-warning`} className="secret-asked">
          {SECRET_ASKED_TEXT}
        </p>
      )}
    </>
  );
}
