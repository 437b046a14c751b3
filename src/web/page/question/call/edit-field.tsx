import { useEffect, useId, useState } from 'react';
import { ApiError } from '../../connection/api.ts';
import { useSession } from '../../context.ts';
import { useEscape } from '../../parts/use-escape.ts';

/** What is allowed in the place of what was asked about. */
export type Edit = { readonly command: string } | { readonly args: object };

type EditFieldProps = {
  readonly id: string;
  readonly isReady: boolean;
  readonly onSend: (edit: Edit) => void;
  readonly onBack: () => void;
};

type Begun = { readonly is: 'command' | 'arguments'; readonly text: string };

/** The call as a human changes it: it runs so, once, and in no other way. */
export function EditField({ id, isReady, onSend, onBack }: EditFieldProps) {
  const field = useId();
  const { api } = useSession();
  const [begun, setBegun] = useState<Begun | string>();
  const [text, setText] = useState('');
  useEscape(onBack);
  useEffect(() => {
    api.reveal(id).then(
      ({ edit }) => {
        setBegun(edit ?? 'The log has only a part of this call: nobody can change it');
        setText(edit?.text ?? '');
      },
      (error: unknown) =>
        setBegun(error instanceof ApiError ? `${error.message}. ${error.fix}` : String(error)),
    );
  }, [api, id]);
  const edit = typeof begun === 'object' ? editIn(begun.is, text) : undefined;
  const isSame = typeof begun === 'object' && begun.text === text;
  return (
    <div className="reason">
      {typeof begun === 'string' && <p className="muted">{begun}</p>}
      {typeof begun === 'object' && (
        <>
          <label className="label" htmlFor={field}>
            {begun.is === 'command'
              ? 'The command that runs in its place'
              : 'The arguments that it runs with, as JSON'}
          </label>
          <textarea
            id={field}
            className="field mono"
            rows={4}
            spellCheck={false}
            autoCapitalize="off"
            value={text}
            ref={(element) => {
              if (element && text === begun.text) element.focus();
            }}
            onChange={(event) => setText(event.target.value)}
          />
          {edit === undefined && <p className="muted">This is no JSON object yet</p>}
        </>
      )}
      <div className="modal-buttons">
        <button type="button" className="button plain" onClick={onBack}>
          Back
        </button>
        <span className="spring" />
        <button
          type="button"
          className="button"
          disabled={!isReady || !edit || isSame}
          onClick={() => edit && onSend(edit)}
        >
          Allow it as changed
        </button>
      </div>
    </div>
  );
}

function editIn(is: Begun['is'], text: string): Edit | undefined {
  if (is === 'command') return text.trim() === '' ? undefined : { command: text };
  try {
    const args: unknown = JSON.parse(text);
    return typeof args === 'object' && args !== null && !Array.isArray(args) ? { args } : undefined;
  } catch {
    // Half written.
    return undefined;
  }
}
