import { useId, useState } from 'react';
import { tokenIn } from '../connection/token.ts';
import { Icon } from '../parts/icon.tsx';

type WayInProps = {
  /** A key was taken before. */
  readonly wasIn: boolean;
  /** Called with another key, and whether it is to outlive the tab. */
  readonly onKey: (token: string, isRemembered: boolean) => void;
};

/** Where the key is not taken, or there is none: how to get in. */
export function WayIn({ wasIn, onKey }: WayInProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [isRemembered, setRemembered] = useState(false);
  const token = tokenIn(text);
  return (
    <main className="way-in">
      <img src="./icon.svg" width="48" height="48" alt="" />
      <h1>{wasIn ? 'Clifford was started again' : 'This page needs its key'}</h1>
      <p className="muted">
        {wasIn
          ? 'The key of this page was of the server before, or was revoked. What you wrote is kept in this browser.'
          : 'The address that Clifford prints has a key in it, which this page was opened without, or which is not valid any more.'}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token !== undefined) onKey(token, isRemembered);
        }}
      >
        <label htmlFor={id}>
          Open the address that <code>clifford serve</code> has printed, or paste it here:
        </label>
        <input
          id={id}
          className="field"
          value={text}
          placeholder="http://127.0.0.1:…/#t=…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={isRemembered}
            onChange={(event) => setRemembered(event.target.checked)}
          />
          Keep the key on this device: for your own phone, where the page is installed
        </label>
        <button type="submit" className="button first" disabled={token === undefined}>
          <Icon name="lock" />
          Open
        </button>
      </form>
      <p className="muted">
        Without it: <code>clifford questions</code> and <code>clifford answer</code> in a shell.
      </p>
    </main>
  );
}
