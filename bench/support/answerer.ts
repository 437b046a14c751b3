import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../../src/events/event-log.ts';
import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';
import { createProjectState } from '../../src/machines/project-state.ts';
import { Project } from '../../src/workflow/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import type { AnswerTimes } from './answer-times.ts';

/** Pause before an answer, in ms: a human answers long after the asking is over. */
const THINK_MS = 15;

const [root = '', count = '0'] = process.argv.slice(2);

/** The human's process in the answer bench: answers each question and reports when that was on disk. */
const times = { startedNs: 0n, durableNs: 0n };
const inner = await openJsonlLog(`${root}/.clifford/events.jsonl`);
const timed: EventLog = {
  ...inner,
  async append(...args) {
    times.startedNs = process.hrtime.bigint();
    const stored = await inner.append(...args);
    times.durableNs = process.hrtime.bigint();
    return stored;
  },
};
const project = new Project({
  root,
  log: timed,
  source: '/clifford/cli',
  state: createProjectState(),
  checkpoint: undefined,
});
const stay = project.subscribe(() => undefined);
process.send?.('ready');
for (let n = 0; n < Number(count); n += 1) {
  const { id } = await project.until((state) => openRequests(state)[0]);
  await sleep(THINK_MS);
  await answerRequest(project, id, { response: `answer ${n}`, by: 'ann', via: 'cli' });
  const report: AnswerTimes = {
    startedNs: String(times.startedNs),
    durableNs: String(times.durableNs),
  };
  process.send?.(report);
}
stay();
await project.close();
process.disconnect?.();
