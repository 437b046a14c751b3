import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { folderForAll } from '../helpers/folder-for-all.ts';
import { openTestProject, tempRoot } from '../helpers/temp-project.ts';
import { eventsOf, untilAsked, untilLogged } from '../mcp/support/project-log.ts';
import { askOf, closed, filesIn } from './support/serve-files.ts';
import { startSignalProcess } from './support/signal-process.ts';

const block = '.clifford/mcp-block.json';
const response = '.clifford/mcp-response.json';
const ann = { by: 'ann', via: 'cli' };

describe('a file system that refuses', () => {
  const isRoot = process.getuid?.() === 0;
  const nobody = 65_534;

  /** A project that belongs to an ordinary user: nothing is read-only for root. */
  async function ordinaryProject() {
    const root = await tempRoot(isRoot ? await folderForAll() : undefined);
    const project = await openTestProject(root);
    await askOf(project, 'help', 'First?');
    const names = ['.', ...(await readdir(root, { recursive: true }))];
    if (isRoot) for (const name of names) await chown(join(root, name), nobody, nobody);
    return { root, project, files: filesIn(root), user: isRoot ? { uid: nobody } : {} };
  }

  /**
   * Waits until the server has gone through all files since now, where no question file can say so: the block
   * is taken away in one round, and there again in a later one.
   */
  async function aBlockPasses(project: Project, files: ReturnType<typeof filesIn>): Promise<void> {
    const shown = openRequests(project.state).find(({ asked }) => asked.kind === 'help');
    await answerRequest(project, shown?.id ?? '', { ...ann, response: 'yes' });
    await files.vanishes(block);
    await askOf(project, 'help', 'Has a round passed?');
    await files.appears(block);
  }

  /** Makes a folder read-only until the test is finished. */
  async function lock(folder: string): Promise<void> {
    await chmod(folder, 0o555);
    onTestFinished(() => chmod(folder, 0o755));
  }

  it('does not stop anything: one line says what cannot be shown', async () => {
    const { root, project, files, user } = await ordinaryProject();
    await mkdir(files.at('.agent-questions'));
    await lock(files.at('.agent-questions'));
    const server = startSignalProcess(root, user);
    await files.appears(block);
    const { id } = await askOf(project, 'clarification', 'Which?');
    await askOf(project, 'clarification', 'And which?');
    await expect.poll(() => server.reported, { timeout: 15_000 }).toHaveLength(2);
    expect(server.reported[0]).toMatch(
      /^Cannot write \.agent-questions\/q\d+_\d\.json: EACCES\. The sprint goes on without it$/,
    );
    await answerRequest(project, id, { ...ann, response: 'all the same' });
    await aBlockPasses(project, files);
    expect(server.reported).toHaveLength(2);
    await chmod(files.at('.agent-questions'), 0o755);
    if (isRoot) await chown(files.at('.agent-questions'), nobody, nobody);
    await expect.poll(() => files.names('.agent-questions'), { timeout: 15_000 }).toHaveLength(1);
    await server.leave();
  });

  it('gets one event for a bad file that cannot be moved, and one line', async () => {
    const { root, project, files, user } = await ordinaryProject();
    await mkdir(files.at('.agent-questions'));
    await files.write('.agent-questions/bad.json', { question: 1 });
    await chmod(files.at('.agent-questions/bad.json'), 0o644);
    await lock(files.at('.agent-questions'));
    const server = startSignalProcess(root, user);
    const [rejected] = await untilLogged(project, 'signal.rejected');
    expect(rejected?.data).toEqual({
      file: '.agent-questions/bad.json',
      reason: '"question" is a number, not a text',
    });
    await aBlockPasses(project, files);
    expect(await eventsOf(project, 'signal.rejected')).toHaveLength(1);
    expect(server.reported).toEqual([
      'Cannot move .agent-questions/bad.json to .clifford/rejected/: EACCES. It is ignored until it changes: "question" is a number, not a text',
    ]);
    expect(files.has('.agent-questions/bad.json')).toBe(true);
    await server.leave();
  });

  it('holds a response back that cannot be taken, with one line, until it can', async () => {
    const { root, project, files, user } = await ordinaryProject();
    await mkdir(files.at('.clifford/claimed'));
    const server = startSignalProcess(root, user);
    await files.appears(block);
    await lock(files.at('.clifford/claimed'));
    await files.write(response, { response: 'later' });
    await chmod(files.at(response), 0o644);
    await expect
      .poll(() => server.reported, { timeout: 15_000 })
      .toEqual(['Cannot take .clifford/mcp-response.json: EACCES. The sprint goes on without it']);
    await chmod(files.at('.clifford/claimed'), 0o777);
    const { id } = await untilAsked(project);
    expect((await closed(project, id)).answer?.response).toBe('later');
    await server.leave();
  });
});
