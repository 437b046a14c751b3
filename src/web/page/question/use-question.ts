import { useEffect, useState } from 'react';
import { backoffMs } from '../../../lib/time/backoff.ts';
import type { SentQuestion } from '../../api/question.ts';
import { ApiError } from '../connection/api-error.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { goTo, routeNow } from '../route.ts';

/** A request, as far as it was read: `missing` where the server knows none of that id. */
export type ReadQuestion = SentQuestion | 'missing' | undefined;

/** So long behind one that did not come it is read again, where there is a connection, in ms: longer each time. */
export const AGAIN = { firstMs: 3_000, longestMs: 30_000 };

/** A request with all that is needed to answer it, read again when it has become another one, or is closed, or the connection is back. */
export function useQuestion(id: string): ReadQuestion {
  const { api, state, connection } = useSession();
  const listed = useStore(state)?.questions.find((question) => question.id === id);
  const isListed = listed !== undefined;
  const { revision, comparison } = listed ?? {};
  const { link } = useStore(connection);
  const [question, setQuestion] = useState<ReadQuestion>();
  useEffect(() => {
    const reading = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const read = async () => {
      try {
        const found = await api.question(id, reading.signal);
        // A link may have the beginning of its id, as it is printed.
        if (found.id !== id) return goTo({ ...routeNow(), question: found.id }, { replace: true });
        setQuestion(found);
      } catch (error) {
        if (reading.signal.aborted) return;
        if (error instanceof ApiError && error.status === 404 && error.code !== 'PROJECT_UNKNOWN')
          setQuestion('missing');
        // Without one it is read with the next connection.
        else if (link === 'live') {
          again = setTimeout(() => void read(), backoffMs(AGAIN, failures));
          failures += 1;
        }
      }
    };
    void read();
    return () => {
      clearTimeout(again);
      reading.abort();
    };
  }, [api, id, isListed, revision, comparison, link]);
  return question !== undefined && question !== 'missing' && question.id !== id ? undefined : question;
}
