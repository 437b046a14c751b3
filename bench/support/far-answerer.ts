import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { z } from 'zod';
import { openProject } from '../../src/workflow/project/project.ts';
import { toAnswerSchema, type ToAnswer } from './far-answers.ts';

/** The human's process in the bench of answers over a server: answers what it is told, and says when it began to. */
const { answer, close } = await ready(toAnswerSchema.parse(JSON.parse(process.argv[2] ?? '')));
process.on('message', (message) => {
  const sentNs = String(process.hrtime.bigint());
  void answer(z.string().parse(message)).then(() => process.send?.({ sentNs }));
});
process.on('disconnect', () => void close());
process.send?.('ready');

async function ready(
  work: ToAnswer,
): Promise<{ answer: (id: string) => Promise<unknown>; close: () => Promise<unknown> }> {
  if (work.kind === 'bare') {
    const connection = await connect({ servers: work.servers });
    const client = jetstream(connection);
    return { answer: (id) => client.publish('answers', id), close: () => connection.close() };
  }
  const project = await openProject({ root: work.root, env: work.env, source: '/clifford/cli' });
  const facts = (requestId: string) => {
    const data = { requestId, response: 'blue', by: 'ann', via: 'cli' } as const;
    return [{ type: 'help.answered', subject: 'adhoc', data } as const];
  };
  return { answer: (id) => project.record('adhoc', facts(id)), close: () => project.close() };
}
