import { useId, useState } from 'react';
import { Api } from '../connection/api.ts';
import { ApiError } from '../connection/api-error.ts';
import { tokenIn, unlock } from '../connection/token.ts';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import '../look/way-in.css';

const kept = 'What you wrote is kept in this browser.';
/** Between backquotes are commands. */
const another =
  'Ask whoever runs Clifford here for another one: they make it with `clifford serve token add`.';

/** What has become of the token. */
const words = {
  none: {
    heading: 'This page needs its token',
    text: 'The address that Clifford prints has a token in it, which this page was opened without, or which is not valid here, or not any more: it may be for the address of one project alone.',
  },
  old: {
    heading: 'The token of this page is not taken any more',
    text: `Clifford was started again, which makes a new token, or this one was revoked. ${kept}`,
  },
  replaced: {
    heading: 'Clifford was started again',
    text: `The token of this page was of the server before. ${kept}`,
  },
  revoked: {
    heading: 'The token of this page was revoked',
    text: `Nothing more can be seen or decided with it. ${another} ${kept}`,
  },
  expired: {
    heading: 'The time of this token is over',
    text: `Nothing more can be seen or decided with it. ${another} ${kept}`,
  },
} as const;

/** So long an answer is waited for, in ms. */
const LONGEST_MS = 5_000;

type WayInProps = {
  /** What has become of the token. */
  readonly was: keyof typeof words;
};

/** Where the token is not taken, or there is none: how to get in. */
export function WayIn({ was }: WayInProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [isRemembered, setRemembered] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const { heading, text: said } = words[was];
  const enter = async () => {
    const token = tokenIn(text);
    if (token === undefined) return setProblem('That is no address of Clifford’s');
    setAsking(true);
    const isRefused = await isRefusedHere(token);
    setAsking(false);
    if (isRefused) setProblem('This token is not valid here');
    else unlock(token, isRemembered);
  };
  return (
    <main className="way-in">
      <img src="./icon.svg" width="48" height="48" alt="" />
      <h1>{heading}</h1>
      <p className="muted">
        {said.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <label htmlFor={id}>
          Open the address that <code>clifford serve</code> or <code>clifford run --web</code> has printed, or
          paste it here:
        </label>
        <input
          ref={takeKeyboard}
          id={id}
          className="field"
          value={text}
          placeholder="http://127.0.0.1:…/#t=…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={problem !== undefined}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
        />
        {problem !== undefined && (
          <Notice tone="bad" icon="warning" isUrgent>
            {problem}
          </Notice>
        )}
        <label className="check">
          <input
            type="checkbox"
            checked={isRemembered}
            onChange={(event) => setRemembered(event.target.checked)}
          />
          Keep the token on this device: for your own phone, where the page is installed
        </label>
        <button type="submit" className="button first" disabled={isAsking || text.trim() === ''}>
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

function takeKeyboard(field: HTMLElement | null): void {
  field?.focus();
}

/** Whether the server here refuses a token; one that does not answer has not. */
async function isRefusedHere(token: string): Promise<boolean> {
  const ignore = () => undefined;
  try {
    await new Api(() => token, { onLocked: ignore, onBusy: ignore }).state(AbortSignal.timeout(LONGEST_MS));
    return false;
  } catch (error) {
    return error instanceof ApiError && error.status === 401;
  }
}
