import { describe, expect, it } from 'vitest';
import { dueFor, type Look } from '../../../src/notify/remote/due.ts';
import { rulesOf } from '../../../src/notify/rules.ts';
import { standingOf } from '../../../src/notify/standing.ts';
import type { NotifyChannelConfig } from '../../../src/workflow/config/notify-channel-keys.ts';
import type { Candidate } from '../../../src/machines/legality.ts';
import { approval } from '../../helpers/approval.ts';
import { History, on } from '../../helpers/history.ts';

const started = [on('demo', 'sprint.created'), on('demo', 'sprint.started'), on('demo/a', 'task.started')];
const asks = (requestId: string, data: object = {}) => on('demo/a', 'help.requested', { requestId, ...data });
const told = (requestId: string, channel = 'phone', place?: string) =>
  on('demo/a', 'notify.sent', { channel, place, requests: [requestId] });

/** What a channel has to tell so many seconds after the last of these. */
function after(
  seconds: number,
  past: readonly Candidate[],
  config: NotifyChannelConfig = {},
  look: Partial<Look> & { readonly lookedSecondsAgo?: number } = {},
) {
  const history = new History(...started, ...past);
  const sprint = history.state.streams.get('demo');
  const last = history.events.at(-1)?.time ?? '';
  if (!sprint) throw new Error('there is no sprint');
  const now = Date.parse(last) + seconds * 1_000;
  const { lookedSecondsAgo, ...rest } = look;
  const { now: tells, nextMs } = dueFor(
    rulesOf({ channel: 'phone', at: 'elsewhere' }, config, {}),
    sprint,
    { standing: standingOf(history.state, 'demo', now), limitedAt: undefined },
    {
      now,
      since: now - 60_000,
      lookedAt: lookedSecondsAgo === undefined ? undefined : now - lookedSecondsAgo * 1_000,
      gatherMs: 1_000,
      isBundled: false,
      ...rest,
    },
  );
  const names = tells.map(({ reasons }) =>
    reasons.map((reason) => {
      if (reason.is === 'failures') return `failed: ${reason.failures.map(({ task }) => task).join(', ')}`;
      return reason.is === 'request' ? reason.request.id : reason.is;
    }),
  );
  return { names, nextMs };
}

describe('a channel calls', () => {
  it('when a question has waited for so long, and says when it will have', () => {
    expect(after(3, [asks('q-1')], { after: 30 })).toEqual({ names: [], nextMs: 27_000 });
    expect(after(30, [asks('q-1')], { after: 30 }).names).toEqual([['q-1']]);
  });

  it('once, and again after a time that doubles, where it reminds', () => {
    const past = [asks('q-1'), told('q-1')];
    expect(after(9_999, past)).toEqual({ names: [], nextMs: Number.POSITIVE_INFINITY });
    expect(after(899, past, { remind: 900 })).toEqual({ names: [], nextMs: 1_000 });
    expect(after(900, past, { remind: 900 }).names).toEqual([['q-1']]);
    expect(after(1_799, [...past, told('q-1')], { remind: 900 }).names).toEqual([]);
    expect(after(1_800, [...past, told('q-1')], { remind: 900 }).names).toEqual([['q-1']]);
  });

  it('the next person, where the first was told and has not answered in time', () => {
    const past = [asks('q-1'), told('q-1', 'ann')];
    expect(after(200, past, { after: 300 }).names).toEqual([]);
    expect(after(300, past, { after: 300 }).names).toEqual([['q-1']]);
    const answered = on('demo/a', 'help.answered', { requestId: 'q-1' });
    expect(after(300, [...past, answered], { after: 300 })).toEqual({
      names: [],
      nextMs: Number.POSITIVE_INFINITY,
    });
  });

  it('whatever another one has told', () => {
    expect(after(60, [asks('q-1'), told('q-1', 'bob')]).names).toEqual([['q-1']]);
    expect(after(60, [asks('q-1'), told('q-1', 'phone', 'of the chat before')]).names).toEqual([['q-1']]);
  });

  it('not for what was answered, and not for what it is not there for', () => {
    const answered = on('demo/a', 'help.answered', { requestId: 'q-1' });
    expect(after(60, [asks('q-1'), answered]).names).toEqual([]);
    const both = [asks('q-1'), asks('q-2', { kind: 'approval', approval })];
    expect(after(60, both, { what: ['approval'] }).names).toEqual([['q-2']]);
    expect(after(60, both, { what: ['question'] }).names).toEqual([['q-1']]);
    expect(after(60, both, { what: ['end'] }).names).toEqual([]);
  });

  it('for a flood in few messages, also where each could be answered', () => {
    const many = Array.from({ length: 30 }, (_, at) => asks(`q-${at}`));
    const { names } = after(60, many);
    expect(names.map((group) => group.length)).toEqual([26, 1, 1, 1, 1]);
    expect(after(60, many, {}, { isBundled: true }).names.map((group) => group.length)).toEqual([30]);
  });

  it('not while somebody looks, but afterwards for what still waits', () => {
    expect(after(60, [asks('q-1')], {}, { lookedSecondsAgo: 4 })).toEqual({ names: [], nextMs: 6_000 });
    expect(after(60, [asks('q-1')], {}, { lookedSecondsAgo: 10 }).names).toEqual([['q-1']]);
  });

  it('not in its quiet hours, whatever it is', () => {
    const always = { quietHours: '00:00-00:00' };
    expect(after(60, [asks('q-1')], always).names).toEqual([]);
    const end = on('demo', 'sprint.cancelled');
    expect(after(1, [end], always).names).toEqual([]);
    expect(after(1, [end]).names).toEqual([['end']]);
  });
});

describe('a task that fails while others go on', () => {
  const tasks = ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md` }));
  const begun = [
    on('demo', 'sprint.amended', { tasks }),
    on('demo/b', 'task.started', { runId: 'run-2' }),
    on('demo/c', 'task.started', { runId: 'run-3' }),
  ];
  const fails = (id: string) => on(`demo/${id}`, 'task.failed', { runId: undefined });
  const tells = (...failures: { task: string; attempt: number }[]) =>
    on('demo', 'notify.sent', { channel: 'phone', about: 'task-failed', requests: undefined, failures });
  const again = [on('demo/a', 'task.reset'), on('demo/a', 'task.started', { attempt: 2 })];

  it('is told once, by each channel, as a failure', () => {
    const past = [...begun, fails('a')];
    expect(after(0, past)).toEqual({ names: [], nextMs: 1_000 });
    expect(after(1, past).names).toEqual([['failed: a']]);
    expect(after(1, past, { what: ['failure'] }).names).toEqual([['failed: a']]);
    expect(after(1, past, { what: ['end', 'question'] }).names).toEqual([]);
    expect(after(1, [...past, tells({ task: 'a', attempt: 1 })]).names).toEqual([]);
    const byBob = on('demo', 'notify.sent', {
      channel: 'bob',
      requests: undefined,
      failures: [{ task: 'a', attempt: 1 }],
    });
    expect(after(1, [...past, byBob]).names).toEqual([['failed: a']]);
    const elsewhere = on('demo', 'notify.sent', {
      channel: 'phone',
      place: 'of the chat before',
      requests: undefined,
      failures: [{ task: 'a', attempt: 1 }],
    });
    expect(after(1, [...past, elsewhere]).names).toEqual([['failed: a']]);
  });

  it('goes with what fails within a moment, and is not lost where another one is told meanwhile', () => {
    const both = [...begun, fails('a'), fails('b')];
    expect(after(1, both).names).toEqual([['failed: a, b']]);
    expect(after(1, [...both, tells({ task: 'a', attempt: 1 })]).names).toEqual([['failed: b']]);
  });

  it('is told again when it fails again, also before the first time was recorded as told', () => {
    const twice = [...begun, fails('a'), ...again, fails('a')];
    expect(after(1, [...twice, tells({ task: 'a', attempt: 1 })]).names).toEqual([['failed: a']]);
    expect(after(1, [...twice, tells({ task: 'a', attempt: 2 })]).names).toEqual([]);
    expect(after(1, [...begun, fails('a'), ...again]).names).toEqual([]);
  });

  it('is not told where the sprint ends by it, nor where somebody saw it or it is long ago', () => {
    const all = [...begun, fails('a'), fails('b'), fails('c')];
    expect(after(1, all).names).toEqual([]);
    expect(after(1, [...all, on('demo', 'sprint.failed')]).names).toEqual([['end']]);
    expect(after(5, [...begun, fails('a')], {}, { lookedSecondsAgo: 7 }).names).toEqual([]);
    expect(after(3_600, [...begun, fails('a')]).names).toEqual([]);
  });
});

describe('an end', () => {
  const failed = [on('demo/a', 'task.failed'), on('demo', 'sprint.failed')];
  const end = (about: string, place?: string) =>
    on('demo', 'notify.sent', { channel: 'phone', place, about, requests: undefined });

  it('is told once, and told again when it comes again', () => {
    expect(after(1, failed).names).toEqual([['end']]);
    expect(after(1, failed, { what: ['failure'] }).names).toEqual([['end']]);
    expect(after(1, failed, { what: ['end', 'question'] }).names).toEqual([]);
    expect(after(1, [...failed, end('failed')]).names).toEqual([]);
    expect(after(1, [...failed, end('failed', 'of the chat before')]).names).toEqual([['end']]);
    const again = [
      on('demo/a', 'task.reset'),
      on('demo', 'sprint.started'),
      on('demo/a', 'task.started', { attempt: 2 }),
      ...failed,
    ];
    expect(after(1, [...failed, end('failed'), ...again]).names).toEqual([['end']]);
  });

  it('that somebody saw is not told, nor one of long ago', () => {
    expect(after(5, failed, {}, { lookedSecondsAgo: 7 }).names).toEqual([]);
    expect(after(5, failed, {}, { lookedSecondsAgo: 40 }).names).toEqual([['end']]);
    expect(after(3_600, failed).names).toEqual([]);
  });

  it('from before a sender began is told within five minutes of it alone, and what waits whenever it was asked', () => {
    /** What is told by a sender that began so many seconds after the last of these, and looks then. */
    const begunAfter = (seconds: number, past: readonly Candidate[]) => {
      const begun = Date.parse(new History(...started, ...past).events.at(-1)?.time ?? '') + seconds * 1_000;
      return after(seconds, past, {}, { since: begun }).names;
    };
    const spent = [on('demo', 'runner.left', { reason: 'overspent: the budget is used up' })];
    expect([begunAfter(299, failed), begunAfter(299, spent)]).toEqual([[['end']], [['left']]]);
    expect([begunAfter(301, failed), begunAfter(301, spent)]).toEqual([[], []]);
    expect(begunAfter(3_600, [asks('q-1')])).toEqual([['q-1']]);
  });

  it('of a run is about the budget where that is used up', () => {
    const left = on('demo', 'runner.left', { reason: 'overspent: the budget is used up' });
    expect(after(1, [left], { what: ['budget'] }).names).toEqual([['left']]);
    expect(after(1, [on('demo', 'runner.left')], { what: ['budget'] }).names).toEqual([]);
  });
});
