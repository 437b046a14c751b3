import { setTimeout as sleep } from 'node:timers/promises';
import { newEvent, subjectOf } from '../../src/events/envelope.ts';
import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import type { AnswerTimes } from './answer-times.ts';

/** Pause before an answer, in ms: a human answers long after the asking is over. */
const THINK_MS = 15;

const [root = '', count = '0'] = process.argv.slice(2);

/**
 * The human's process in the answer bench: answers each question and reports when that was on disk.
 * It appends to the log by itself what `answerRequest` would, so that the end of the sync can be seen.
 */
const project = await openProject({ root, source: '/clifford/cli', env: {} });
const stay = project.subscribe(() => undefined);
const log = await openJsonlLog(`${root}/.clifford/events.jsonl`);
process.send?.('ready');
for (let n = 0; n < Number(count); n += 1) {
  const { id, stream, taskId } = await project.until((state) => openRequests(state)[0]);
  await sleep(THINK_MS);
  const data = { requestId: id, response: `answer ${n}`, by: 'ann', via: 'cli' };
  const answer = newEvent('/clifford/cli', {
    type: 'help.answered',
    subject: subjectOf(stream, taskId),
    data,
  });
  const startedNs = process.hrtime.bigint();
  await log.append(stream, [answer], { expectedVersion: 'any' });
  const durableNs = process.hrtime.bigint();
  const report: AnswerTimes = { startedNs: String(startedNs), durableNs: String(durableNs) };
  process.send?.(report);
}
stay();
await log.close();
await project.close();
process.disconnect?.();
