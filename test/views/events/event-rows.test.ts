import { describe, expect, it } from 'vitest';
import { callStep } from '../../../src/views/calls/call-step.ts';
import { toolCalls } from '../../../src/views/calls/tool-calls.ts';
import { callEnd, eventRows } from '../../../src/views/events/event-rows.ts';
import { approval } from '../../helpers/approval.ts';
import { History, on } from '../../helpers/history.ts';

const made = (callId: string) => on('demo/a', 'tool.requested', { callId });

/** Rows, newest last: type of the event, which versions, and how a call stands. */
function rowsOf(...events: ReturnType<typeof on>[]) {
  return rowsAmong(events, true);
}

function rowsAmong(events: readonly ReturnType<typeof on>[], areLast: boolean) {
  const history = new History(...events);
  const lines = history.events.map((event) => ({
    version: event.streamversion,
    time: event.time,
    type: event.type,
    task: event.subject.split('/')[1],
    call: callStep(event, history.state.streams.get('demo')),
  }));
  return eventRows(lines, areLast).map((row) => {
    const end = callEnd(row);
    return [row.event.type, row.versions.join(' '), ...(end ? [end.word, end.tookMs] : [])];
  });
}

describe('events in rows', () => {
  it('have a call and what became of it in one, with how long it took, also where others came between', () => {
    expect(
      rowsOf(
        made('one'),
        made('two'),
        on('demo/a', 'tool.allowed', { callId: 'one' }),
        on('demo/a', 'tool.returned', { callId: 'two', isError: true, durationMs: 70 }),
        on('demo/a', 'tool.returned', { callId: 'one', isError: false, durationMs: 1_200 }),
        made('three'),
        on('demo/a', 'tool.failed', { callId: 'three' }),
      ),
    ).toEqual([
      ['tool.requested', '1 3 5', 'done', 1_200],
      ['tool.requested', '2 4', 'failed', 70],
      ['tool.requested', '6 7', 'failed', 1_000],
    ]);
  });

  it('say which calls are open, and which ended with their agent', () => {
    const exited = on('demo/a', 'agent.exited');
    expect(rowsOf(made('one'), exited, made('two'))).toEqual([
      ['tool.requested', '1', 'ended', undefined],
      ['agent.exited', '2'],
      ['tool.requested', '3', 'open', undefined],
    ]);
    expect(rowsOf(made('one'), on('demo/a', 'agent.lost'))[0]).toContain('ended');
    expect(rowsOf(made('one'), on('demo/b', 'agent.exited'))[0]).toContain('open');
  });

  it('say nothing of a call where others came behind them, or are left out: it may have ended there', () => {
    expect(rowsAmong([made('one'), on('demo/a', 'agent.exited'), made('two')], false)).toEqual([
      ['tool.requested', '1', 'ended', undefined],
      ['agent.exited', '2'],
      ['tool.requested', '3'],
    ]);
  });

  it('count the time of a call that failed from when it was allowed: before that a human had it', () => {
    const allowed = on('demo/a', 'tool.allowed', { callId: 'one' });
    const failed = on('demo/a', 'tool.failed', { callId: 'one' });
    const [[, , word, tookMs] = []] = rowsOf(made('one'), made('two'), allowed, failed);
    expect([word, tookMs]).toEqual(['failed', 1_000]);
  });

  it('have one that was done, though it was allowed too late, as the list of calls has it', () => {
    const late = on('demo/a', 'tool.withheld', { callId: 'one' });
    const back = (isError: boolean) =>
      on('demo/a', 'tool.returned', { callId: 'one', isError, durationMs: 5 });
    const words = [true, false].map((isError) => rowsOf(made('one'), late, back(isError))[0]?.[2]);
    expect(words).toEqual(['late', 'done']);
  });

  it('have one that was made unasked, though it was refused, as the list of calls has it, and whatever its agent says', () => {
    const unasked = on('demo/a', 'tool.unasked', { callId: 'one' });
    const back = on('demo/a', 'tool.returned', { callId: 'one', isError: false, durationMs: 5 });
    const denied = on('demo/a', 'tool.denied', { callId: 'one' });
    for (const events of [[unasked], [back, unasked], [unasked, back], [denied, unasked]]) {
      const all = [made('one'), ...events];
      expect(rowsOf(...all)).toEqual([
        ['tool.requested', all.map((_, at) => at + 1).join(' '), 'unasked', undefined],
      ]);
      expect(toolCalls(new History(...all).events).map(({ is }) => is)).toEqual(['unasked']);
    }
  });

  it('have of a call what was known at a moment of the past, and what came later in rows of its own', () => {
    const { events } = new History(
      made('one'),
      on('demo/a', 'tool.denied', { callId: 'one' }),
      made('two'),
      on('demo/a', 'agent.exited'),
    );
    const lines = events.map((event) => ({
      version: event.streamversion,
      time: event.time,
      type: event.type,
      task: 'a',
      call: callStep(event, undefined),
    }));
    const words = (at?: number) =>
      eventRows(lines, true, at).map((row) => [row.versions.join(' '), callEnd(row)?.word]);
    expect(words()).toEqual([
      ['1 2', 'denied'],
      ['3', 'ended'],
      ['4', undefined],
    ]);
    expect(words(1)).toEqual([
      ['1', 'open'],
      ['2', undefined],
      ['3', 'ended'],
      ['4', undefined],
    ]);
    expect(words(3)).toEqual([
      ['1 2', 'denied'],
      ['3', 'open'],
      ['4', undefined],
    ]);
  });

  it.each([
    ['denied', 'denied'],
    ['questioned', 'queried'],
    ['edited', 'changed'],
  ] as const)('have one that a human has %s by the word that the list of calls has', (verdict, word) => {
    const requestId = 'q-1';
    const edited = verdict === 'edited' ? { edited: { args: { a: 1 }, callDigest: 'e' } } : {};
    const rows = rowsOf(
      on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
      on('demo', 'sprint.started'),
      on('demo/a', 'task.started', { attempt: 1, runId: 'r1' }),
      made('one'),
      on('demo/a', 'help.requested', {
        requestId,
        kind: 'approval',
        approval: { ...approval, callId: 'one' },
      }),
      on('demo/a', 'help.answered', { requestId, verdict, scope: 'once', ...edited }),
      on('demo/a', 'tool.denied', { callId: 'one', by: 'ada', requestId }),
    );
    expect(rows).toContainEqual(['tool.requested', '4 7', word, undefined]);
  });

  it('count no time of a call that failed by a clock which is behind', () => {
    const history = new History(made('one'), on('demo/a', 'tool.failed', { callId: 'one' }));
    const times = ['2026-01-01T00:00:10.000Z', '2026-01-01T00:00:00.000Z'];
    const lines = history.events.map((event, at) => ({
      version: event.streamversion,
      time: times[at] ?? '',
      type: event.type,
      call: callStep(event, undefined),
    }));
    expect(eventRows(lines, true).map((row) => callEnd(row))).toEqual([{ word: 'failed', tookMs: 0 }]);
  });

  it('leave a call refused whatever its agent says of it then, and a return alone whose call is not among them', () => {
    expect(
      rowsOf(
        made('one'),
        on('demo/a', 'tool.denied', { callId: 'one' }),
        on('demo/a', 'tool.returned', { callId: 'one', isError: true, durationMs: 5 }),
        on('demo/a', 'tool.returned', { callId: 'before' }),
      ),
    ).toEqual([
      ['tool.requested', '1 2 3', 'denied', undefined],
      ['tool.returned', '4'],
    ]);
  });
});
