import { useEffect, useState } from 'react';
import { backoffMs } from '../../../../lib/time/backoff.ts';
import type { SentQuestion } from '../../../api/question.ts';
import { ApiError } from '../../connection/api-error.ts';
import { useStore } from '../../connection/store.ts';
import { useSession } from '../../context.ts';
import { AGAIN } from '../use-question.ts';

/** The calls of its sprint that wait like one, itself among them, by their ids; none where it is alone. */
export function useAlike({ sprint, alike }: SentQuestion): readonly string[] {
  const { state } = useSession();
  const questions = useStore(state)?.questions ?? [];
  const same =
    alike === undefined ? [] : questions.filter((each) => each.sprint === sprint && each.alike === alike);
  return same.length > 1 ? same.map(({ id }) => id) : [];
}

/** Calls as far as they were read; a text says why they cannot be. */
export type ReadCalls = readonly SentQuestion[] | string | undefined;

/**
 * Calls that wait, whole; what was closed before it was read is not among them, what is closed then stays. Read again when one has become
 * another one, or the connection is back.
 */
export function useCalls(ids: readonly string[]): ReadCalls {
  const { api, connection, state } = useSession();
  const { link } = useStore(connection);
  const waiting = useStore(state)?.questions ?? [];
  const [calls, setCalls] = useState<ReadCalls>();
  const key = ids.join(' ');
  const versions = ids.map((id) => {
    const { revision, comparison } = waiting.find((each) => each.id === id) ?? {};
    return `${comparison} ${revision}`;
  });
  const version = versions.join(' ');
  useEffect(() => {
    const reading = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const listed = new Set(key.split(' '));
    const read = async () => {
      try {
        const { questions } = await api.questions(reading.signal);
        const now = new Map(
          questions.filter(({ id }) => listed.has(id)).map((call) => [call.id, alone(call)]),
        );
        setCalls((before) =>
          typeof before === 'object' ? before.map((call) => now.get(call.id) ?? call) : [...now.values()],
        );
      } catch (error) {
        if (reading.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        // What was read before is still what is asked.
        setCalls((before) => (typeof before === 'object' ? before : error.message));
        if (link !== 'live') return;
        again = setTimeout(() => void read(), backoffMs(AGAIN, failures));
        failures += 1;
      }
    };
    void read();
    return () => {
      clearTimeout(again);
      reading.abort();
    };
  }, [api, key, version, link]);
  return calls;
}

/** A call of which nothing is said that is for others, too, as a rule would be. */
function alone(call: SentQuestion): SentQuestion {
  const { offer: _, ...others } = call;
  return others;
}
