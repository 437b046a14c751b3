import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { EventData, EventType } from '../../../src/events/catalog.ts';
import { toolCalls } from '../../../src/views/calls/tool-calls.ts';
import { eventLog } from '../../helpers/stored-events.ts';

type Told = [type: EventType, data: object];

/** What is told of the call `c-1` after it was requested and this happened. */
function told(...events: Told[]) {
  const log = eventLog(
    'demo/a',
    ['tool.requested', { server: 'fs', tool: 'write_file', args: { path: 'x' } }],
    ...events,
  );
  const [call, ...others] = toolCalls(log);
  expect(others).toEqual([]);
  return call;
}

const allowed: Told = ['tool.allowed', { rule: 'rules[0]' }];
const returned = (isError: boolean): Told => ['tool.returned', { isError, durationMs: 5, bytes: 2 }];

describe('a call of a tool', () => {
  it.each<[what: string, events: Told[], is: object]>([
    ['waits', [], { is: 'open', rule: undefined, by: undefined }],
    ['runs by a rule', [allowed], { is: 'allowed', rule: 'rules[0]' }],
    ['runs by a human', [['tool.allowed', { by: 'ada' }]], { is: 'allowed', by: 'ada', rule: undefined }],
    ['has a result', [allowed, returned(false)], { is: 'done', rule: 'rules[0]' }],
    ['has an error for a result', [allowed, returned(true)], { is: 'failed' }],
    ['failed', [allowed, ['tool.failed', { error: 'gone' }]], { is: 'failed', error: 'gone' }],
    ['was denied', [['tool.denied', { rule: 'rules[1]' }]], { is: 'denied', rule: 'rules[1]' }],
    [
      'was denied, and its agent calls that a result',
      [['tool.denied', {}], returned(false)],
      { is: 'denied' },
    ],
    ['was withheld: the yes came too late', [allowed, ['tool.withheld', {}]], { is: 'late' }],
    [
      'was withheld, and failed with that, as its agent says',
      [allowed, ['tool.withheld', {}], ['tool.returned', { isError: true }]],
      { is: 'late' },
    ],
    [
      'was withheld, and made all the same, as its agent says',
      [allowed, ['tool.withheld', {}], ['tool.returned', { isError: false }]],
      { is: 'done' },
    ],
    [
      'was withheld, then allowed by a human',
      [
        ['tool.withheld', {}],
        ['tool.allowed', { by: 'ada' }],
      ],
      { is: 'allowed', by: 'ada' },
    ],
    ['ran unasked', [['tool.unasked', {}], returned(false)], { is: 'unasked', rule: 'agents.rules[0]' }],
  ])('%s', (_, events, is) => {
    expect(told(...events)).toMatchObject({
      callId: 'c-1',
      task: 'a',
      server: 'fs',
      tool: 'write_file',
      version: 1,
      ...is,
    });
  });

  it('is told of by no event of another call, and by no other event', () => {
    expect(told(['tool.allowed', { callId: 'c-2' }], ['tool.pinned', {}], ['agent.usage', {}])).toMatchObject(
      { is: 'open' },
    );
  });

  it('names the agent whose own tool it is, and what it calls it', () => {
    const log: readonly StoredEvent[] = eventLog('demo/a', [
      'tool.requested',
      { server: '@codex', tool: 'execute', title: 'npm test', paths: ['a.ts'] },
    ]);
    expect(toolCalls(log)).toMatchObject([
      { agent: 'codex', tool: 'execute', title: 'npm test', paths: ['a.ts'] },
    ]);
  });

  it('stands in the order in which calls were made, whichever ended first', () => {
    const log = eventLog(
      'demo/a',
      ['tool.requested', { callId: 'one' }],
      ['tool.requested', { callId: 'two' }],
      ['tool.allowed', { callId: 'one' } satisfies Partial<EventData<'tool.allowed'>>],
    );
    expect(toolCalls(log).map(({ callId, is }) => `${callId} ${is}`)).toEqual(['one allowed', 'two open']);
  });
});
