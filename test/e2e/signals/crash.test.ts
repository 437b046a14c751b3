import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { withLock } from '../../../src/lib/files/kernel-lock.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { logEnv } from '../../helpers/log-env.ts';
import { openTcpProxy } from '../../helpers/tcp-proxy.ts';
import { openTestProject, tempRoot } from '../../helpers/temp-project.ts';
import { eventsOf, untilAsked, untilLogged } from '../../mcp/support/project-log.ts';
import { askOf, closed, filesIn, questionFiles, serveFiles } from '../../signals/support/serve-files.ts';
import { startSignalProcess } from '../../signals/support/signal-process.ts';

const block = '.clifford/mcp-block.json';
const response = '.clifford/mcp-response.json';
const claimed = '.clifford/claimed';

/** Where a process finds the log of the tests, and how what it writes there gets stuck for as long as something is done. */
async function stickyLog(root: string) {
  const { CLIFFORD_LOG: log } = logEnv();
  if (log === undefined)
    return {
      env: {},
      whileStuck: (work: () => Promise<void>) => withLock(join(root, '.clifford/events.jsonl'), work),
    };
  const { port, pathname } = new URL(log);
  const proxy = await openTcpProxy(Number(port));
  return {
    env: { CLIFFORD_LOG: `nats://${proxy.address}${pathname}` },
    whileStuck: async (work: () => Promise<void>) => {
      proxy.dropFromNextAppend();
      await work();
    },
  };
}

/** A question whose answer a server took, and was killed before it could record it. */
async function killedBetweenTakingAndRecording() {
  const root = await tempRoot();
  const project = await openTestProject(root);
  const files = filesIn(root);
  const { id } = await askOf(project, 'help', 'Which port?');
  const { env, whileStuck } = await stickyLog(root);
  const server = startSignalProcess(root, { env });
  await files.appears(block);
  await whileStuck(async () => {
    await files.write(response, { response: '8080' });
    await expect.poll(() => files.names(claimed), { timeout: 15_000 }).toHaveLength(1);
    await server.kill();
  });
  const [claim = ''] = await files.names(claimed);
  return { root, project, files, id, claim: files.at(`${claimed}/${claim}`) };
}

describeOnEachEngine('a server that is killed', () => {
  it('between taking an answer and recording it loses nothing: the next one goes on', async () => {
    const { root, project, files, id } = await killedBetweenTakingAndRecording();
    expect((await untilAsked(project)).id).toBe(id);
    const next = startSignalProcess(root);
    expect((await closed(project, id)).answer).toMatchObject({ response: '8080', via: 'file' });
    await files.vanishes(block);
    await untilLogged(project, 'signal.received');
    await expect.poll(() => files.names(claimed), { timeout: 15_000 }).toEqual([]);
    await next.leave();
  });

  it('between recording an answer and removing it answers once', async () => {
    const { root, project, files, id, claim } = await killedBetweenTakingAndRecording();
    await copyFile(claim, join(root, 'copy'));
    const next = startSignalProcess(root);
    await closed(project, id);
    await untilLogged(project, 'signal.received');
    await expect.poll(() => files.names(claimed), { timeout: 15_000 }).toEqual([]);
    await next.leave();

    await copyFile(join(root, 'copy'), claim);
    const third = startSignalProcess(root);
    await expect.poll(() => files.names(claimed), { timeout: 15_000 }).toEqual([]);
    await third.leave();
    const types = (await eventsOf(project)).map(({ type }) => type);
    expect(types).toEqual(['help.requested', 'help.answered', 'signal.received']);
  });

  it('after taking an answer that came second has it told by the next', async () => {
    const { root, project, files, id } = await killedBetweenTakingAndRecording();
    await answerRequest(project, id, { by: 'ann', via: 'cli', response: '9090' });
    const next = startSignalProcess(root);
    expect(await files.rejected()).toEqual([
      expect.stringMatching(`${response}: request ${id} is closed: ann answered it in the shell at .*: 9090`),
    ]);
    await next.leave();
  });
});

// Files alone: no log has a say in them.
describe('a server whose project is gone', () => {
  it('does not bring it back', async () => {
    // The looks for what was not notified: here they come when the test says so.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { root, project, start, stop } = await serveFiles();
    const files = filesIn(root);
    await askOf(project, 'clarification', 'Which host?');
    await questionFiles(root, 1);
    // The server may just be writing: a folder that is not empty again is removed again.
    await rm(root, { recursive: true, maxRetries: 20, retryDelay: 10 });
    await vi.advanceTimersByTimeAsync(3_000);
    await stop();
    expect(files.has('.')).toBe(false);
    // One that waits for its turn tries at once, and again and again.
    start();
    await stop();
    expect(files.has('.')).toBe(false);
  });
});

describeOnEachEngine('a server that is killed', () => {
  it('leaves what somebody else put beside the answers it took', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const files = filesIn(root);
    await files.write(`${claimed}/50%@x@y`, 'not ours');
    const server = startSignalProcess(root);
    await askOf(project, 'help', 'Which port?');
    await files.appears(block);
    await server.leave();
    expect(server.reported).toEqual([]);
    expect(await files.names(claimed)).toEqual(['50%@x@y']);
  });

  it('is followed by one that waits, and its files stay as they are', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const files = filesIn(root);
    const { id } = await askOf(project, 'help', 'Which port?');
    const first = startSignalProcess(root);
    await files.appears(block);
    startSignalProcess(root);
    // It waits for its turn once it has made this.
    await expect.poll(() => files.has('.clifford/locks/signals-next.lock'), { timeout: 15_000 }).toBe(true);
    await first.kill();
    await files.write(response, { response: 'ok' });
    expect((await closed(project, id)).answer?.response).toBe('ok');
  });

  it('leaves the end of the next one alone, whatever vanishes under it', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const files = filesIn(root);
    await askOf(project, 'help', 'Which port?');
    await askOf(project, 'clarification', 'Which host?');
    const server = startSignalProcess(root);
    await files.appears(block);
    await expect.poll(() => files.names('.agent-questions'), { timeout: 15_000 }).toHaveLength(1);
    await rm(files.at('.agent-questions'), { recursive: true, maxRetries: 20, retryDelay: 10 });
    await rm(files.at('.clifford/claimed'), { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
    await mkdir(files.at('.clifford/claimed'));
    await server.leave();
    expect(files.has(block)).toBe(false);
    expect(server.reported).toEqual([]);
  });
});
