import { existsSync } from 'node:fs';
import { appendFile, link, rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openProject } from '../../src/workflow/project/project.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { ownLogEnv } from '../helpers/log-env.ts';
import { seededRandom } from '../helpers/random.ts';
import { tempRoot } from '../helpers/temp-project.ts';
import { eventsOf } from '../mcp/support/project-log.ts';
import { askOf, filesIn } from '../signals/support/serve-files.ts';
import { startSignalProcess } from '../signals/support/signal-process.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };
const response = '.clifford/mcp-response.json';

/** Writes an answer in one go, or in two halves; never over one that lies there. */
async function drop(path: string, text: string, inHalves: boolean): Promise<boolean> {
  const temporary = `${path}.${process.hrtime.bigint()}.part`;
  if (inHalves) {
    try {
      await writeFile(path, text.slice(0, text.length / 2), { flag: 'wx' });
    } catch {
      return false;
    }
    // That the halves are apart in time is what is tried here: whoever looks now finds half an answer.
    await pause(30);
    await appendFile(path, text.slice(text.length / 2));
    return true;
  }
  await writeFile(temporary, text);
  try {
    await link(temporary, path);
    return true;
  } catch {
    return false;
  } finally {
    await rm(temporary);
  }
}

/** Questions answered through files and the log at once, while those who serve the files are killed. */
async function expectSurvival(root: string, random: () => number): Promise<void> {
  const env = ownLogEnv();
  const project: Project = await openProject({ root, source: '/clifford/web', env });
  const files = filesIn(root);
  let servers = [startSignalProcess(root, { env }), startSignalProcess(root, { env })];
  const killing = { isOver: false };
  const killer = (async () => {
    while (!killing.isOver) {
      const at = random() < 0.5 ? 0 : 1;
      await servers[at]?.ready;
      await pause(50 + random() * 600);
      await servers[at]?.kill();
      servers = servers.with(at, startSignalProcess(root, { env }));
    }
  })();

  const written = new Set<string>();
  try {
    const requests = await Promise.all(
      [1, 2, 3, 4].map((n) => askOf(project, n % 2 ? 'help' : 'clarification', `Question ${n}?`)),
    );
    await Promise.all(
      requests.map(async ({ id, asked }) => {
        await pause(random() * 1_500);
        const byFile = `file to ${id}`;
        const answer = () => answerRequest(project, id, { response: `log to ${id}`, by: 'log', via: 'test' });
        if (random() < 0.3) await answer();
        if (asked.kind === 'help' || random() < 0.5) {
          const text = JSON.stringify({ response: byFile, requestId: id });
          await vi.waitFor(async () => {
            if (!(await drop(files.at(response), text, random() < 0.3)))
              throw new Error('another response lies there');
          }, PATIENCE);
          written.add(id);
        }
        if (random() < 0.3) await answer();
      }),
    );
    await pause(random() * 1_500);
  } finally {
    killing.isOver = true;
    await killer;
  }

  // Those that nobody answered are shown; every file that was written is settled.
  await vi.waitFor(async () => {
    await project.refresh();
    expect(existsSync(files.at(response))).toBe(false);
    expect(await files.names('.clifford/claimed')).toEqual([]);
    const open = openRequests(project.state);
    const [help] = open.filter(({ asked }) => asked.kind === 'help');
    expect(existsSync(files.at('.clifford/mcp-block.json'))).toBe(help !== undefined);
    const clarifications = open.filter(({ asked }) => asked.kind === 'clarification');
    expect(await files.names('.agent-questions')).toHaveLength(clarifications.length);
    for (const { id } of open) expect(written.has(id), `${id} lost its answer`).toBe(false);
  }, PATIENCE);
  for (const server of servers) await server.leave();

  const answered = await eventsOf(project, 'help.answered');
  expect(new Set(answered.map(({ data }) => data.requestId)).size).toBe(answered.length);
  for (const { data } of answered)
    expect(data.response).toMatch(new RegExp(`^(file|log) to ${data.requestId}$`));
  const byFile = answered.filter(({ data }) => data.via === 'file').map(({ data }) => data.requestId);
  const lost = [...written].filter((id) => !byFile.includes(id));
  expect(await eventsOf(project, 'signal.received')).toHaveLength(byFile.length);
  // The event of a file that was moved aside can be lost with the killed process; the file is there.
  const kept = (await files.names('.clifford/rejected')).filter((name) => name.endsWith('.json'));
  expect(kept).toHaveLength(lost.length);
  await project.close();
}

describeOnEachEngine('answers in files', () => {
  it('no answer in a file is lost, doubled or crossed while those who serve the files are killed', async () => {
    const rounds = faultRuns(3);
    const seed = faultSeed();
    console.log(`file kills: ${rounds} rounds, seed ${seed}`);
    for (let round = 0; round < rounds; round += 1) {
      const random = seededRandom(seed + round);
      await expectSurvival(await tempRoot(), random).catch((error: unknown) => {
        throw new Error(`round ${round}, seed ${seed}`, { cause: error });
      });
    }
  }, 600_000);
});
