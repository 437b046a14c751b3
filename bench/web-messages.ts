import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADHOC_STREAM } from '../src/events/adhoc-stream.ts';
import { openProject } from '../src/workflow/project/project.ts';
import { answerRequest } from '../src/workflow/requests/answer.ts';
import { ask } from '../src/workflow/requests/ask.ts';
import { serve } from './support/serve.ts';
import { printTable } from './support/table.ts';

// How much a page is sent of what has changed, where much is open in the sprint that is looked at, beside how everything stands.
// Needs a build.
const QUESTIONS = Number(process.env['QUESTIONS'] ?? 2_000);
const AGENT = { id: 'bench', client: 'bench' };

const root = await mkdtemp(join(tmpdir(), 'clifford-bench-'));
const project = await openProject({ root, source: '/clifford/cli', env: {} });
const question = (n: number) =>
  ask(project, { stream: ADHOC_STREAM, agent: AGENT, kind: 'help', question: `Which of these is it, ${n}?` });
const [asked] = await Promise.all(Array.from({ length: QUESTIONS }, (_, n) => question(n)));
const served = await serve(root, { PATH: process.env['PATH'] ?? '', HOME: root });
try {
  const stream = await served.openStream(ADHOC_STREAM);
  const whole = await sent(stream, 'state', async () => undefined);
  const another = await sent(stream, 'patch', () => question(QUESTIONS));
  const id = asked?.id ?? '';
  const answer = await sent(stream, 'patch', () =>
    answerRequest(project, id, { response: 'that', by: 'ann', via: 'cli' }),
  );
  const part = (what: string, bytes: number) => ({
    what: `sent of ${what} to each page, beside the state, in % of that`,
    figure: `${bytes} : ${whole} bytes`,
    ratio: (bytes / whole) * 100,
    reach: { 'at-most': 0.5 } as const,
  });
  const rows = [part('an answer', answer), part('another question', another)];
  process.exitCode = printTable(`What a page is sent: ${QUESTIONS} questions`, rows) ? 0 : 1;
} finally {
  served.stop();
  await project.close();
  await rm(root, { recursive: true, force: true });
}

/** Bytes of all that a stream sends from some work on, until the first message of a name is there. */
async function sent(stream: IncomingMessage, name: string, work: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  let last = '';
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    last += chunk.toString('latin1');
  };
  stream.on('data', take);
  await work();
  while (!last.includes(`event: ${name}\n`) || !last.endsWith('\n\n')) await once(stream, 'data');
  stream.off('data', take);
  return bytes;
}
