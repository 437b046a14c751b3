import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { secretsOf } from '../../src/events/secrets/redaction.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import type { OpenChannel, Shown } from '../../src/notify/channel.ts';
import type { Notice } from '../../src/notify/notice.ts';
import { Notifier } from '../../src/notify/notifier.ts';
import type { NotifyRules } from '../../src/workflow/config/notify-rule-keys.ts';
import { approval } from '../helpers/approval.ts';
import { History, on } from '../helpers/history.ts';

const started = [on('demo', 'sprint.created'), on('demo', 'sprint.started')];
const asks = (requestId: string, data: object = {}) => on('demo/a', 'help.requested', { requestId, ...data });
const answered = (requestId: string) => on('demo/a', 'help.answered', { requestId });
const denied = (requestId: string) =>
  on('demo/a', 'help.answered', { requestId, response: 'no', verdict: 'denied' });
const working = on('demo/a', 'task.started');

type Watched = {
  readonly happen: (...candidates: Candidate[]) => void;
  readonly called: Notice[];
  readonly shown: Shown[];
  readonly notifier: Notifier;
  readonly history: History;
};

/** A notifier on a sprint with this past. */
function watch(
  past: readonly Candidate[],
  {
    lastKeyAt,
    quietHours,
    rules = {},
    env = {},
  }: {
    lastKeyAt?: () => number | undefined;
    quietHours?: string;
    rules?: Record<string, NotifyRules>;
    env?: Record<string, string>;
  } = {},
): Watched {
  const history = new History(...past);
  const listeners = new Set<(events: readonly StoredEvent[]) => void>();
  const called: Notice[] = [];
  const shown: Shown[] = [];
  const recorder: OpenChannel = {
    name: 'recorder',
    call(notice) {
      called.push(notice);
      return 'told';
    },
    show: (standing) => void shown.push(standing),
  };
  const notifier = new Notifier({
    project: {
      state: history.state,
      asLogged: secretsOf(env).redactText,
      subscribe(listener) {
        const listen = (events: readonly StoredEvent[]) => listener(events, history.state);
        listeners.add(listen);
        return () => listeners.delete(listen);
      },
    },
    stream: 'demo',
    config: { quietHours, rules },
    channels: [recorder],
    lastKeyAt,
  });
  onTestFinished(() => notifier.close());
  const happen = (...candidates: Candidate[]) => {
    for (const each of candidates) expect(history.add(each), each.type).toMatchObject({ legal: true });
    for (const listen of listeners) listen(history.events.slice(-candidates.length));
  };
  return { happen, called, shown, notifier, history };
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

/** A sprint is watched at this time of the day, in the time zone of this machine. */
function at(hours: number, minutes = 0): void {
  vi.useFakeTimers({ now: new Date(2027, 0, 15, hours, minutes) });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a human is called', () => {
  it('when a question waits, once', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    await seconds(60);
    expect(called).toEqual([]);
    happen(asks('q-1', { question: 'Which colour?' }));
    await seconds(2);
    expect(called).toEqual([
      {
        kind: 'question',
        title: 'Clifford · Demo: a asks',
        text: 'Which colour?',
        sprint: 'demo',
        task: 'a',
        request: 'q-1',
      },
    ]);
    happen(on('demo/a', 'help.detached', { requestId: 'q-1' }), on('demo/a', 'agent.parked'));
    await seconds(3_600);
    expect(called).toHaveLength(1);
  });

  it('for a tool call without its arguments, and for a prompt', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    happen(asks('q-1', { kind: 'approval', question: 'Allow rm -rf /?', approval }));
    await seconds(2);
    expect(called[0]).toMatchObject({ kind: 'approval', title: 'Clifford · Demo: a waits for your yes' });
    expect(JSON.stringify(called)).not.toContain('rm -rf');
    happen(denied('q-1'), asks('q-2', { kind: 'prompt', question: 'Overwrite? [y/n]' }));
    await seconds(20);
    expect(called[1]).toMatchObject({
      kind: 'prompt',
      title: 'Clifford · Demo: a waits at a prompt',
      text: 'Overwrite? [y/n]',
    });
  });

  it('for a burst in one notification, and soon after in another one', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    happen(asks('q-1'));
    await seconds(0.5);
    happen(asks('q-2'), asks('q-3', { kind: 'approval', approval }));
    await seconds(2);
    expect(called).toMatchObject([
      {
        kind: 'waiting',
        title: 'Clifford · Demo: 3 wait for you',
        text: 'a: Which one?; a: Which one?; a: tool call fs write_file',
      },
    ]);
    happen(asks('q-4'));
    await seconds(5);
    happen(asks('q-5'));
    expect(called).toHaveLength(1);
    await seconds(10);
    expect(called[1]).toMatchObject({ title: 'Clifford · Demo: 2 wait for you' });
    expect(called).toHaveLength(2);
  });

  it('for many in one line that has the beginning of some, and how many more there are', async () => {
    at(12);
    const many = Array.from({ length: 8 }, (_, index) =>
      asks(`q-${index}`, { question: `Which ${index} ${'of these '.repeat(40)}?` }),
    );
    const { called } = watch([...started, working, ...many]);
    await seconds(2);
    const [{ text } = { text: '' }] = called;
    expect(text).toMatch(/^a: Which 0 of these [^;]*…; a: Which 1 .*; a: Which 4 [^;]*…; and 3 more$/);
    expect(text.length).toBeLessThanOrEqual(240);
  });

  it('not for what was answered before it was told', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    happen(asks('q-1'));
    await seconds(0.5);
    happen(answered('q-1'));
    await seconds(60);
    expect(called).toEqual([]);
  });

  it('for what waited before in one summary, and for no end of before', async () => {
    at(12);
    const { called } = watch([...started, working, asks('q-1'), asks('q-2')]);
    await seconds(3_600);
    expect(called).toMatchObject([{ kind: 'waiting', text: 'a: Which one?; a: Which one?' }]);
    const failed = [on('demo/a', 'task.failed'), on('demo', 'sprint.failed')];
    const past = watch([...started, working, ...failed]);
    await seconds(60);
    expect(past.called).toEqual([]);
    const left = watch([...started, working, on('demo', 'runner.left')]);
    await seconds(60);
    expect(left.called).toEqual([]);
  });

  it.each([
    [
      'completed',
      [on('demo/a', 'task.completed'), on('demo', 'sprint.completed')],
      'done',
      '1 of 1 task done',
    ],
    [
      'failed',
      [
        on('demo/a', 'task.failed', { reason: 'exit 1' }),
        on('demo', 'sprint.failed', { reason: 'a failed' }),
      ],
      'failed',
      'task a failed: exit 1',
    ],
    ['cancelled', [on('demo', 'sprint.cancelled', { reason: 'no time' })], 'cancelled', 'no time'],
  ])('at once when the sprint is %s', (kind, end, word, text) => {
    at(12);
    const { happen, called, shown } = watch([...started, working]);
    vi.advanceTimersByTime(1_000);
    happen(...end);
    expect(called).toMatchObject([{ kind, title: `Clifford · Demo: ${word}`, text }]);
    expect(shown.at(-1)).toMatchObject({ end: { how: kind } });
    vi.advanceTimersByTime(60_000);
    happen(on('demo/a', 'agent.exited'));
    expect(called).toHaveLength(1);
  });

  it('once when its runner leaves it, but not by whom it was stopped', async () => {
    at(12);
    const left = on('demo', 'runner.left', { reason: 'overspent: the budget is used up' });
    const one = watch([...started, working]);
    await seconds(1);
    one.happen(left);
    await seconds(60);
    one.happen(on('demo/a', 'agent.exited'));
    await seconds(60);
    expect(one.called).toMatchObject([{ kind: 'left', text: 'overspent: the budget is used up' }]);
    const other = watch([...started, working]);
    await seconds(1);
    other.happen(asks('q-1'));
    other.notifier.hush();
    other.happen(left);
    await seconds(60);
    other.notifier.close();
    expect(other.called).toEqual([]);
  });

  it('not when a worker gives it back to the queue, and when one takes it out of there', async () => {
    at(12);
    const { happen, called } = watch([...started, on('demo', 'job.added'), on('demo', 'job.taken'), working]);
    await seconds(1);
    happen(on('demo', 'runner.left', { reason: 'SIGTERM' }));
    await seconds(10);
    happen(on('demo', 'job.returned'));
    await seconds(60);
    happen(on('demo', 'job.taken', { worker: 'build-2' }));
    await seconds(60);
    expect(called).toEqual([]);
    happen(on('demo', 'job.ended', { worker: 'build-2', outcome: 'unusable', reason: 'no such branch' }));
    await seconds(60);
    happen(on('demo', 'job.added'));
    await seconds(60);
    happen(on('demo', 'job.cancelled', { by: 'ada' }));
    await seconds(60);
    expect(called).toMatchObject([
      { kind: 'left', text: 'no such branch' },
      { kind: 'left', text: 'ada took it out of the queue' },
    ]);
  });

  it('at the end of the process for what was gathering', async () => {
    at(12);
    const { happen, called, notifier } = watch([...started, working]);
    await seconds(1);
    happen(asks('q-1'));
    notifier.close();
    expect(called).toMatchObject([{ request: 'q-1' }]);
  });
});

describe('a usage limit', () => {
  const limited = (resetsAt: string) => [
    on('demo/a', 'agent.started', { agent: 'claude' }),
    on('demo/a', 'agent.limited', { resetsAt }),
    on('demo/a', 'agent.exited', { reason: 'limited' }),
  ];
  const twoTasks = on('demo', 'sprint.created', {
    tasks: ['a', 'b'].map((id) => ({ id, file: `${id}.md` })),
  });
  const both = [twoTasks, on('demo', 'sprint.started'), working];
  const startsB = on('demo/b', 'task.started', { runId: 'run-b' });
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  it('calls a human when nothing else goes on, once', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    happen(...limited(inAnHour()));
    await seconds(4);
    expect(called).toEqual([]);
    await seconds(600);
    happen(on('demo/a', 'task.noted'));
    await seconds(600);
    expect(called).toMatchObject([
      {
        kind: 'limited',
        title: 'Clifford · Demo: waits for the end of a usage limit',
        text: 'claude until 13:00; nothing else can go on',
      },
    ]);
  });

  it('is news again once its agent has got past it', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    happen(...limited(inAnHour()));
    await seconds(600);
    const again = { runId: 'run-2', attempt: 2 };
    happen(
      on('demo/a', 'task.started', again),
      on('demo/a', 'agent.started', { ...again, agent: 'claude' }),
      on('demo/a', 'agent.continued', again),
    );
    await seconds(1);
    happen(
      on('demo/a', 'agent.limited', { ...again, resetsAt: inAnHour() }),
      on('demo/a', 'agent.exited', { ...again, reason: 'limited' }),
    );
    await seconds(600);
    expect(called.map(({ kind }) => kind)).toEqual(['limited', 'limited']);
  });

  it('calls nobody while another task goes on, or has asked', async () => {
    at(12);
    const { happen, called } = watch([...both, startsB]);
    happen(...limited(inAnHour()));
    await seconds(600);
    expect(called).toEqual([]);
    happen(on('demo/b', 'help.requested', { requestId: 'q-b' }));
    await seconds(600);
    expect(called).toMatchObject([{ kind: 'question', task: 'b' }]);
  });

  it('for which nobody waits any more is told as the runner says it', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    happen(...limited(inAnHour()));
    await seconds(1);
    happen(on('demo', 'runner.left', { reason: 'limited: claude' }));
    await seconds(600);
    expect(called).toMatchObject([{ kind: 'left', text: 'limited: claude' }]);
  });

  it('calls nobody while another agent takes over', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    happen(...limited(inAnHour()));
    await seconds(1);
    const other = { runId: 'run-2', attempt: 2 };
    happen(on('demo/a', 'task.started', other), on('demo/a', 'agent.started', { ...other, agent: 'codex' }));
    await seconds(600);
    expect(called).toEqual([]);
  });
});

describe('who types here', () => {
  it('is called by nothing when they leave', async () => {
    at(12);
    const { happen, called, notifier } = watch([...started, working], { lastKeyAt: Date.now });
    happen(asks('q-1'));
    await seconds(2);
    notifier.close();
    expect(called).toEqual([]);
  });

  it('is called by nothing, and by what still waits once they have stopped', async () => {
    at(12);
    let typed: number | undefined;
    const { happen, called } = watch([...started, working], { lastKeyAt: () => typed });
    happen(asks('q-1'));
    typed = Date.now();
    await seconds(9);
    expect(called).toEqual([]);
    typed = Date.now();
    happen(asks('q-2'), answered('q-1'));
    await seconds(9);
    expect(called).toEqual([]);
    await seconds(2);
    expect(called).toMatchObject([{ request: 'q-2' }]);
  });

  it('has seen the end', async () => {
    at(12);
    const typed = Date.now();
    const { happen, called } = watch([...started, working], { lastKeyAt: () => typed });
    await seconds(1);
    happen(asks('q-1'), on('demo', 'sprint.cancelled'));
    await seconds(60);
    expect(called).toEqual([]);
  });
});

describe('quiet hours', () => {
  it('call nobody; what still waits at their end is told then', async () => {
    at(6, 30);
    const { happen, called, shown } = watch([...started, working], { quietHours: '22:00-07:00' });
    happen(asks('q-1'), asks('q-2'));
    await seconds(60);
    happen(answered('q-1'));
    await seconds(28 * 60);
    expect(called).toEqual([]);
    expect(shown.at(-1)).toMatchObject({ open: 1 });
    await seconds(2 * 60);
    expect(called).toMatchObject([{ request: 'q-2' }]);
  });
});

it('the end of the process during quiet hours calls nobody', async () => {
  at(6, 30);
  const { happen, called, notifier } = watch([...started, working], { quietHours: '22:00-07:00' });
  happen(on('demo', 'sprint.cancelled'));
  notifier.close();
  expect(called).toEqual([]);
});

describe('what a human is told', () => {
  it('has no text that acts on a terminal, and no secret, also one that hides', async () => {
    at(12);
    const env = { API_TOKEN: 'correcthorsebattery' };
    const evil = on('demo', 'sprint.created', { name: '4;1\u001B]0;mine\u0007\u202Ex' });
    const { happen, called } = watch([evil, on('demo', 'sprint.started'), working], { env });
    happen(asks('q-1', { question: 'a\u001B[2J\u009Db\u0007c correcthorse\u200Bbattery\nd' }));
    await seconds(2);
    const [notice] = called;
    expect(notice?.title).toBe('Clifford · 4;1x: a asks');
    expect(notice?.text).toBe('ac [redacted:API_TOKEN] d');
    expect(JSON.stringify(called)).not.toMatch(/\\u|\\n/);
  });

  it('reads a question without the marks of its markdown, and has what a prompt prints as it is', async () => {
    at(12);
    const env = { API_TOKEN: 'correcthorsebattery' };
    const { happen, called } = watch([...started, working], { env });
    happen(
      asks('q-1', {
        question: '## Which **database**?\n\n- `pg`\n- [lite](https://x.test), correct**horse**battery',
      }),
    );
    await seconds(2);
    happen(asks('q-2', { kind: 'prompt', question: 'Delete *.tmp and *.bak?' }));
    await seconds(20);
    expect(called[0]?.text).toBe('Which database? • pg • lite (https://x.test), [redacted:API_TOKEN]');
    expect(called.at(-1)?.text).toContain('Delete *.tmp and *.bak?');
  });

  it('is short', async () => {
    at(12);
    const { happen, called } = watch([...started, working]);
    happen(asks('q-1', { question: 'x'.repeat(60_000) }));
    await seconds(2);
    expect(called[0]?.text).toHaveLength(240);
  });
});

describe('the rules of a way at this machine', () => {
  const ruled = (rules: NotifyRules, past = [...started, working]) =>
    watch(past, { rules: { recorder: rules } });

  /** Events of the past are of then, a second apart. */
  function whenItIsAsked(): void {
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    onTestFinished(() => void vi.useRealTimers());
  }

  it('have it call for what they name alone', async () => {
    at(12);
    const { happen, called } = ruled({ what: ['approval', 'end'] });
    await seconds(1);
    happen(asks('q-1'), asks('q-2', { kind: 'approval', approval }));
    await seconds(30);
    expect(called).toMatchObject([{ kind: 'approval', request: 'q-2' }]);
  });

  it('have it wait for an answer before it calls', async () => {
    whenItIsAsked();
    const { happen, called } = ruled({ after: 300 });
    await seconds(1);
    happen(asks('q-1'), asks('q-2'));
    await seconds(200);
    happen(answered('q-1'));
    await seconds(90);
    expect(called).toEqual([]);
    await seconds(60);
    expect(called).toMatchObject([{ request: 'q-2' }]);
  });

  it('have what is not due yet wait when something else is told', async () => {
    whenItIsAsked();
    const { happen, called } = ruled({ after: 60 });
    await seconds(1);
    happen(asks('q-1'));
    await seconds(30);
    // Thirty seconds later by the events, too.
    happen(...Array.from({ length: 30 }, () => on('demo', 'notify.sent', { channel: 'x' })), asks('q-2'));
    await seconds(33);
    expect(called).toMatchObject([{ request: 'q-1' }]);
    await seconds(60);
    expect(called).toMatchObject([{ request: 'q-1' }, { request: 'q-2' }]);
  });

  it('have it call again for what still waits, each time after twice as long, and say how long it has', async () => {
    at(12);
    const { happen, called } = ruled({ remind: 60 });
    await seconds(1);
    happen(asks('q-1'));
    await seconds(55);
    expect(called).toHaveLength(1);
    await seconds(15);
    expect(called).toHaveLength(2);
    expect(called[1]?.title).toMatch(/ \(it has waited .*\)$/);
    await seconds(110);
    expect(called).toHaveLength(2);
    await seconds(20);
    expect(called).toHaveLength(3);
    happen(answered('q-1'));
    await seconds(3_600);
    expect(called).toHaveLength(3);
  });

  it('have quiet hours of its own', async () => {
    at(12);
    const quiet = { quietHours: '11:00-13:00' };
    const { happen, called } = watch([...started, working], {
      ...quiet,
      rules: { recorder: { quietHours: '22:00-07:00' } },
    });
    await seconds(1);
    happen(asks('q-1'));
    await seconds(10);
    expect(called).toMatchObject([{ request: 'q-1' }]);
  });
});

describe('a task that fails while others go on', () => {
  const tasks = ['a', 'b'].map((id) => ({ id, file: `${id}.md` }));
  const failed = on('demo/a', 'task.failed', { runId: undefined, reason: 'the tests fail' });
  const other = on('demo/b', 'task.started', { runId: 'run-2' });
  const both = [...started, on('demo', 'sprint.amended', { tasks }), working, other];

  it('is told once', async () => {
    at(12);
    const { happen, called } = watch(both);
    await seconds(1);
    happen(failed);
    await seconds(600);
    expect(called).toMatchObject([{ kind: 'task-failed', task: 'a', text: 'the tests fail' }]);
  });

  it('is told behind the question that is told with it', async () => {
    at(12);
    const { happen, called } = watch(both);
    await seconds(1);
    happen(failed, on('demo/b', 'help.requested', { requestId: 'q-1', question: 'Which colour?' }));
    await seconds(600);
    expect(called).toMatchObject([
      {
        kind: 'question',
        task: 'b',
        title: 'Clifford · Demo: b asks',
        text: 'Which colour?; a has failed, others go on',
      },
    ]);
  });

  it('is not told where it had failed before, nor where somebody saw it', async () => {
    at(12);
    const past = watch([...both, failed]);
    const seen = watch(both, { lastKeyAt: () => Date.now() });
    await seconds(1);
    seen.happen(failed);
    await seconds(600);
    expect([...past.called, ...seen.called]).toEqual([]);
  });

  it('is told as the end where the sprint ends by it', async () => {
    at(12);
    const { happen, called } = watch(both);
    await seconds(1);
    happen(failed, on('demo', 'sprint.failed'));
    await seconds(600);
    expect(called).toMatchObject([{ kind: 'failed' }]);
  });
});
