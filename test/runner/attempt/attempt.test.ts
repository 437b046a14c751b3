import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Attempt } from '../../../src/runner/attempt/attempt.ts';
import type { AttemptParts } from '../../../src/runner/attempt/attempt-parts.ts';
import { RunnerMemory } from '../../../src/runner/reconcile/runner-memory.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';
import { History, on } from '../../helpers/history.ts';
import { attemptParts } from '../support/attempt-parts.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** An attempt whose agent prints a line and stays, and the first news of it. */
async function attemptWith(parts: Partial<AttemptParts>, script = 'echo hello; exec sleep 600') {
  const dir = join(await tempRoot(), '.clifford');
  const { promise: news, resolve } = Promise.withResolvers<void>();
  const attempt = new Attempt({ ...attemptParts(dir), onNews: resolve, ...parts });
  onTestFinished(() => attempt.abandon());
  await attempt.start({
    file: '/bin/sh',
    args: ['-c', script],
    input: undefined,
    cwd: dir,
    env: {},
    findEscaped: () => [],
    killGraceMs: 1_000,
  });
  return { attempt, news };
}

it('what goes wrong while an agent is read reaches whoever runs it', async () => {
  const broken = () => {
    throw new Error('the parser broke');
  };
  const { attempt, news } = await attemptWith({ parser: { line: broken } });
  await news;
  expect(() => attempt.throwIfFailed()).toThrow('the parser broke');
});

it.each([
  ['gets the end it does not have', "printf 'Overwrite? (y/n) '", 'Overwrite? (y/n) \n'],
  ['that has its end stays as it is', 'echo hello', 'hello\n'],
  ['is not made up', 'true', ''],
])(
  'the last line of an attempt %s: the next one begins on a line of its own',
  async (_title, script, shown) => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let text = '';
    const onOutput = (_channel: string, more: string) => void (text += more);
    await attemptWith({ onOutput, onNews: resolve }, script);
    await ended;
    expect(text).toBe(shown);
  },
);

it('what an agent did is said before its end, also when it is judged after its process is gone', async () => {
  const [asked, judged, ended] = [0, 0, 0].map(() => Promise.withResolvers<void>());
  let text = '';
  const { attempt } = await attemptWith(
    {
      conversation: {
        canSteer: () => false,
        steer: async () => {},
        converse: async () => {},
        cancel: async () => {},
        leave: () => {},
        noteExit: () => {},
        settled: () => {
          asked?.resolve();
          return judged?.promise ?? Promise.resolve();
        },
      },
      onOutput: (_channel, more) => void (text += more),
      onNews: () => ended?.resolve(),
    },
    'printf work',
  );
  await asked?.promise;
  attempt.remark('look at this');
  expect(attempt.view().phase).toBe('working');
  judged?.resolve();
  await ended?.promise;
  expect(attempt.view().phase).toBe('ended');
  expect(text).toBe('work\n[clifford: look at this]\n');
});

it('what is said of an agent is seen in time, also where the line has no end that it is at', async () => {
  const [begun, said] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let text = '';
  const onOutput = (_channel: string, more: string) => {
    text += more;
    (text.includes('[') ? said : begun).resolve();
  };
  const { attempt } = await attemptWith({ onOutput }, "printf 'Overwrite? '; exec sleep 600");
  await begun.promise;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  attempt.remark('look at this');
  expect(text).toBe('Overwrite? ');
  vi.advanceTimersByTime(5_000);
  await said.promise;
  expect(text).toBe('Overwrite? \n[clifford: look at this]\n');
});

it('an agent that is parked is told nothing, and has no time to take its leave', async () => {
  const told: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const { attempt } = await attemptWith({
    conversation: {
      canSteer: () => false,
      steer: async () => {},
      converse: async () => {},
      cancel: async () => void told.push('cancel'),
      leave: () => void told.push('leave'),
      noteExit: () => {},
      settled: async () => {},
    },
    onNews: resolve,
  });
  attempt.stop('parked');
  await ended;
  expect(told).toEqual(['leave']);
  const [exited] = attempt.ending().facts;
  expect(exited?.data).toMatchObject({ signal: 'SIGTERM', reason: 'parked' });
  expect(exited?.data).not.toHaveProperty('detail');
  // A turn that is cancelled has two seconds for its end.
  expect(exited?.data).toMatchObject({ durationMs: expect.toSatisfy((ms: number) => ms < 2_000) });
});

it.each([
  ['is looked at seldom once that time is over, where it need not', false, 60_000],
  ['is looked at again and again, where it has to', true, 50],
])('an agent that has not connected in time %s', async (_title, connects, afterMs) => {
  const { attempt } = await attemptWith({ connects });
  const { runId } = attempt.view();
  const memory = new RunnerMemory();
  memory.attempts.set(runId, attempt);
  const config = configSchema.parse({});
  const limits = { connect: 20_000, idle: 3_600_000, tool: 0, exit: 0, attempt: 0 };
  const sprint = new History(
    on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
    on('demo', 'sprint.started', {}),
    on('demo/a', 'task.started', { attempt: 1, runId }),
  ).sprint();
  const pauses: number[] = [];
  for (let now = Date.now(); pauses.length < 4;) {
    memory.look(sprint, { limits, parking: config }, now);
    const { at, nextAt = Infinity } = attempt.view().watch;
    pauses.push(nextAt - at);
    now = nextAt;
  }
  expect(pauses.at(-1)).toBe(afterMs);
});
