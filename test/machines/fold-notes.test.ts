import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/machines/legality.ts';
import { waitingNotes } from '../../src/workflow/notes/deliver-notes.ts';
import { History, on } from '../helpers/history.ts';

const started = [
  on('demo', 'sprint.created'),
  on('demo', 'sprint.started'),
  on('demo/a', 'task.started', { runId: 'run-1', attempt: 1 }),
];
const sent = on('demo/a', 'note.sent');
const taken = on('demo/a', 'note.taken');
const steered = on('demo/a', 'note.taken', { way: 'steering' });
const waits = (...past: readonly Candidate[]) =>
  waitingNotes(new History(...started, ...past).sprint().tasks.get('a')).map(({ id }) => id);

describe('a note', () => {
  it('waits until an agent is being told, and is told once', () => {
    expect(waits(sent)).toEqual(['n-1']);
    expect(waits(sent, taken)).toEqual([]);
    expect(waits(sent, taken, on('demo/a', 'note.delivered'))).toEqual([]);
  });

  it('waits again when it did not reach the agent, or nobody knows since that is gone', () => {
    const exited = on('demo/a', 'agent.exited', { runId: 'run-1' });
    const lost = on('demo/a', 'agent.lost', { runId: 'run-1' });
    const connected = on('demo/a', 'agent.connected', { runId: 'run-1' });
    const next = on('demo/a', 'task.started', { runId: 'run-2', attempt: 2 });
    expect(waits(sent, taken, on('demo/a', 'note.returned'))).toEqual(['n-1']);
    expect(waits(sent, taken, exited)).toEqual(['n-1']);
    expect(waits(sent, taken, lost)).toEqual(['n-1']);
    expect(waits(sent, taken, connected)).toEqual(['n-1']);
    expect(waits(sent, taken, on('demo/a', 'agent.connected', { runId: 'run-2' }))).toEqual([]);
    expect(waits(sent, steered, connected)).toEqual([]);
    expect(waits(sent, steered, exited)).toEqual(['n-1']);
    expect(waits(sent, steered, lost)).toEqual(['n-1']);
    expect(waits(sent, on('demo/a', 'note.taken', { to: 'editor' }), connected)).toEqual([]);
    expect(waits(sent, on('demo/a', 'note.taken', { to: 'editor' }), exited)).toEqual([]);
    expect(waits(sent, on('demo/a', 'note.taken', { to: 'editor' }), exited, next)).toEqual(['n-1']);
    expect(waits(sent, taken, on('demo/a', 'note.delivered'), exited)).toEqual([]);
  });

  it('is not given back by somebody else than the agent that has it', () => {
    const late = [
      on('demo/a', 'note.taken', { to: 'run-2' }),
      on('demo/a', 'note.returned', { to: 'run-2' }),
    ];
    expect(waits(sent, taken, ...late)).toEqual([]);
    expect(waits(sent, taken, on('demo/a', 'note.returned', { to: 'run-2' }))).toEqual([]);
  });

  it.each([
    [true, []],
    [true, [on('demo/a', 'help.requested')]],
    [true, [on('demo/a', 'task.failed')]],
    [false, [on('demo/a', 'task.completed')]],
    [false, [on('demo/a', 'task.skipped')]],
    [false, [on('demo', 'sprint.cancelled')]],
  ] as const)('can be sent, %s, after these', (isLegal, past) => {
    expect(new History(...started, ...past).add(sent).legal).toBe(isLegal);
  });
});
