import { expect, it } from 'vitest';
import type { EventType } from '../../../src/events/catalog.ts';
import { readableEvent } from '../../../src/views/events/readable-event.ts';
import { approval } from '../../helpers/approval.ts';
import { eventLog } from '../../helpers/stored-events.ts';

/** What an event of this type says to people, with these fields. */
function read(type: EventType, data: object) {
  const [stored] = eventLog('demo', [type, data]);
  return stored && readableEvent(stored, undefined).data;
}

it('what agents say in Markdown reads without its marks, on one line, with what could move a cursor shown', () => {
  const text = '**Keep** `a.ts`\n\n\u001B[2Jgone';
  const plain = String.raw`Keep a.ts \u001b[2Jgone`;
  expect(read('help.requested', { question: text })).toMatchObject({ question: plain });
  expect(read('task.blocked', { reason: text })).toMatchObject({ reason: plain });
  expect(read('task.noted', { text })).toMatchObject({ text: plain });
  expect(read('task.completed', { summary: text })).toMatchObject({ summary: plain });
  expect(read('task.completed', { summary: undefined })).not.toHaveProperty('summary', expect.anything());
});

it('what a program prints, or asks for without a call, stays as it is', () => {
  for (const kind of ['prompt', 'approval'] as const)
    expect(read('help.requested', { kind, question: 'Overwrite **all**?' })).toMatchObject({
      question: 'Overwrite **all**?',
    });
});

it('a call that is asked about has the title that it has in lists', () => {
  const args = { command: 'make **all**' };
  const call = { ...approval, server: '@codex', tool: 'execute', isOwn: true as const, args };
  expect(read('help.requested', { kind: 'approval', approval: call })).toMatchObject({
    question: 'make **all**',
  });
});

it('an agent that has only the name of its run is called the agent', () => {
  expect(read('help.delivered', { to: 'run-1' })).toMatchObject({ to: 'the agent' });
  expect(read('help.delivered', { to: 'codex' })).toMatchObject({ to: 'codex' });
});
