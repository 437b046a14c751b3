import { expect, it } from 'vitest';
import { CliffordError } from '../../../src/errors.ts';
import { REQUEST_MS, ServerWait } from '../../../src/events/jetstream/server-wait.ts';

it('who waits without end is told once each time that the server is away', () => {
  const told: string[] = [];
  const wait = new ServerWait(
    { onAway: ({ message }) => void told.push(message) },
    new AbortController().signal,
  );
  const fails = (message: string) =>
    wait.goesOn(
      performance.now() - REQUEST_MS,
      new CliffordError(message, { code: 'LOG_UNREACHABLE', fix: '', recovery: 'retry' }),
    );
  fails('away');
  fails('still away');
  wait.noteDone();
  fails('away again');
  expect(told).toEqual(['away', 'away again']);
});
