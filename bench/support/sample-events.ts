import { newEvent, type NewEvent } from '../../src/events/envelope.ts';

/** A common event of task `n` of `stream`; its line has about 330 bytes. */
export function sampleEvent(stream: string, n: number): NewEvent {
  return newEvent('/clifford/runner', {
    type: 'agent.usage',
    subject: `${stream}/task-${n % 10}`,
    data: { runId: `run-${n % 100}`, tokens: { input: n, output: 512 }, costUsd: 0.0125 },
  });
}
