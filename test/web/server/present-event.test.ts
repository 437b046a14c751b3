import { expect, it } from 'vitest';
import { presentEvent } from '../../../src/web/server/present/present-event.ts';
import { EXPLANATION_ARGUMENT } from '../../../src/workflow/requests/explain-first.ts';
import { approval } from '../../helpers/approval.ts';
import { History, on } from '../../helpers/history.ts';

const a = 'demo/a';

const call = { server: 'release', tool: 'changelog' };

const made = (callId: string, args: Record<string, string>) =>
  on(a, 'tool.requested', { ...call, callId, args: { ...args, [EXPLANATION_ARGUMENT]: 'To tell them.' } });

/** What is said of the last event, once a human has said so to a call with these arguments. */
function textAfter(verdict: 'questioned' | 'denied', last: ReturnType<typeof made>): string | undefined {
  const args = { since: '1.0', until: '2.0' };
  const history = new History(
    on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
    on('demo', 'sprint.started'),
    on(a, 'task.started', { attempt: 1, runId: 'r1' }),
    on(a, 'help.requested', { requestId: 'q-1', kind: 'approval', approval: { ...approval, ...call, args } }),
    on(a, 'help.answered', { requestId: 'q-1', verdict }),
    last,
  );
  const event = history.events.at(-1);
  return event && presentEvent(event, history.sprint()).text;
}

it('of a call that a human asked about is without what its agent says of it when it makes it again', () => {
  const again = made('c-2', { until: '2.0', since: '1.0' });
  expect(textAfter('questioned', again)).not.toContain('To tell them.');
  expect(textAfter('questioned', again)).toContain('2.0');
});

it('has an argument of that name of any other call, whose tool gets it', () => {
  expect(textAfter('questioned', made('c-2', { since: '1.1' }))).toContain('To tell them.');
  expect(textAfter('denied', made('c-2', { since: '1.0', until: '2.0' }))).toContain('To tell them.');
});
