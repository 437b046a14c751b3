import { createContext, use, useEffect, useRef, useState } from 'react';
import type { Closing } from '../../api/question.ts';
import type { Decision } from '../connection/api.ts';
import { ApiError } from '../connection/api-error.ts';
import { useSession } from '../context.ts';

/** What became of what was sent about a request. */
export type Sending =
  | { readonly is: 'none' }
  | { readonly is: 'sending' }
  /** It was recorded: `text` says what follows. */
  | { readonly is: 'done'; readonly text: string }
  /** Somebody was first: its sender, where what they sent before was `isLost`. */
  | { readonly is: 'late'; readonly closing: Closing; readonly isLost: boolean }
  /** Nothing was recorded; `isLost`: no reply came, so it may have been. */
  | { readonly is: 'failed'; readonly message: string; readonly fix: string; readonly isLost: boolean };

/** What was sent and is not, or may not be, what counts. */
export type Unsent = Extract<Sending, { readonly is: 'late' | 'failed' }>;

/** What is told of what is sent about a request. */
type SendingListener = {
  /**
   * It is sent, and `sent` gives its reply up; `undefined`: that is there. What closes the request meanwhile may be that
   * itself.
   */
  readonly onSending: (sent: AbortController | undefined) => void;
  /** It was not recorded, nobody knows, or somebody was first, and whoever sent it has left the request by then. */
  readonly onEndedLater: (outcome: Unsent) => void;
};

/** Around all that sends something about a request. */
export const WhileSending = createContext<SendingListener | undefined>(undefined);

/** Sends something, until its reply is given up, and ends with what follows. */
type Work = (signal: AbortSignal) => Promise<{ readonly text: string }>;

/** Sends what a human says, once at a time. */
export function useSending(onDone: (text: string) => void): readonly [Sending, (work: Work) => void] {
  const [sending, setSending] = useState<Sending>({ is: 'none' });
  const listener = use(WhileSending);
  const wasLost = useRef(false);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const send = async (work: Work) => {
    if (sending.is === 'sending') return;
    setSending({ is: 'sending' });
    const sent = new AbortController();
    listener?.onSending(sent);
    try {
      const { text } = await work(sent.signal);
      setSending({ is: 'done', text });
      onDone(text);
    } catch (error) {
      wasLost.current ||= error instanceof ApiError && mayBeRecorded(error);
      const outcome = outcomeOf(error, wasLost.current);
      if (isLeft.current) listener?.onEndedLater(outcome);
      setSending(outcome);
    } finally {
      listener?.onSending(undefined);
    }
  };
  return [sending, (work) => void send(work)];
}

/** Sends what a human says to a request, once at a time. */
export function useDecision(
  id: string,
  onDone: (text: string) => void,
): readonly [Sending, (decision: Decision, body: object) => void] {
  const { api } = useSession();
  const [sending, send] = useSending(onDone);
  return [sending, (decision, body) => send((signal) => api.decide(id, decision, body, signal))];
}

/** No reply came, or one of a server that may have done it all the same. */
function mayBeRecorded({ status }: ApiError): boolean {
  return status === 0 || status >= 500;
}

function outcomeOf(error: unknown, isLost: boolean): Unsent {
  if (!(error instanceof ApiError)) throw error;
  if (error.closing) return { is: 'late', closing: error.closing, isLost };
  return { is: 'failed', message: error.message, fix: error.fix, isLost };
}
