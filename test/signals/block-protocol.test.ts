import { appendFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CliffordMcpServer } from '../../src/mcp/server/clifford-mcp-server.ts';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { eventsOf, untilAsked, untilLogged } from '../mcp/support/project-log.ts';
import { aRoundPasses, askOf, closed, filesIn, serveFiles } from './support/serve-files.ts';

const block = '.clifford/mcp-block.json';
const response = '.clifford/mcp-response.json';
const ann = { by: 'ann', via: 'cli' };

describe('the block file', () => {
  it('shows the oldest open question of kind help, and its response answers it', async () => {
    const { root } = await projectWithSprint();
    const { project } = await serveFiles(root);
    const files = filesIn(root);
    await askOf(project, 'clarification', 'Red or blue?');
    const { id, askedAt } = await askOf(project, 'help', 'Which port?', {
      stream: 'demo',
      task: 'a',
      reason: 'Two are free',
    });
    expect(await files.appears(block)).toEqual({
      type: 'block',
      task: 'a',
      reason: 'Two are free',
      question: 'Which port?',
      timestamp: Date.parse(askedAt),
      requestId: id,
    });
    await files.write(response, { response: '8080' });
    expect((await closed(project, id)).answer).toMatchObject({ response: '8080', by: 'file', via: 'file' });
    await files.vanishes(block);
    expect(files.has(response)).toBe(false);
    const [received] = await untilLogged(project, 'signal.received');
    expect(received).toMatchObject({
      source: '/clifford/signals',
      subject: 'demo',
      data: { file: response, kind: 'response', digest: expect.stringMatching(/^[\w-]{43}$/) },
    });
    expect(await files.names('.clifford/claimed')).toEqual([]);
  });

  it('makes room for the next question when one closes, and vanishes with the last', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const one = await askOf(project, 'help', 'One?');
    const two = await askOf(project, 'help', 'Two?');
    expect(await files.appears(block)).toMatchObject({ question: 'One?' });
    await answerRequest(project, one.id, { ...ann, response: '1' });
    await expect
      .poll(() => (files.has(block) ? files.read(block)['question'] : ''), { timeout: 15_000 })
      .toBe('Two?');
    await dismissRequest(project, two.id, ann);
    await files.vanishes(block);
  });

  it('can be answered for another question by its id, and turned down', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const one = await askOf(project, 'help', 'One?');
    const two = await askOf(project, 'help', 'Two?');
    await files.appears(block);
    await files.write(response, { response: 'No', requestId: two.id, rejected: true });
    expect((await closed(project, two.id)).answer).toMatchObject({ response: 'No', rejected: true });
    expect(files.read(block)).toMatchObject({ requestId: one.id });
  });

  it('is answered by an answer that names its request and is older', async () => {
    const { root, project, start, stop } = await serveFiles();
    const files = filesIn(root);
    await stop();
    const { id } = await askOf(project, 'help', 'One?');
    await files.write(response, { response: 'early', requestId: id });
    start();
    expect((await closed(project, id)).answer?.response).toBe('early');
  });

  it('is not answered by a response that is older', async () => {
    const { root, project, start, stop } = await serveFiles();
    const files = filesIn(root);
    await stop();
    const { id } = await askOf(project, 'help', 'One?');
    await files.write(response, { response: 'stale' });
    start();
    await files.appears(block);
    expect(await files.rejected()).toEqual([
      expect.stringContaining('no question is shown in .clifford/mcp-block.json'),
    ]);

    await files.write('.clifford/new.json', { response: 'stale' });
    await utimes(files.at('.clifford/new.json'), 1_700_000_000, 1_700_000_000);
    await rename(files.at('.clifford/new.json'), files.at(response));
    expect(await files.rejected(2)).toContainEqual(
      expect.stringContaining('it was written 2023-11-14T22:13:20.000Z, before'),
    );
    expect((await untilAsked(project)).id).toBe(id);
  });

  it('stays while its response is being written, and the latecomer is told who was first', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const one = await askOf(project, 'help', 'One?');
    const two = await askOf(project, 'help', 'Two?');
    await files.appears(block);
    await files.write(response, '{"response":');
    await answerRequest(project, one.id, { ...ann, response: 'first' });
    await aRoundPasses(project, root);
    expect(files.read(block)).toMatchObject({ requestId: one.id });
    await appendFile(files.at(response), '"late"}');
    expect(await files.rejected()).toEqual([
      expect.stringMatching(
        `${response}: request ${one.id} is closed: ann answered it in the shell at .*: first`,
      ),
    ]);
    await expect
      .poll(() => (files.has(block) ? files.read(block)['requestId'] : ''), { timeout: 15_000 })
      .toBe(two.id);
    expect(await eventsOf(project, 'help.answered')).toHaveLength(1);
    expect(await eventsOf(project, 'signal.received')).toHaveLength(0);
  });

  it('appears when a response that was begun before it is finished, and is not answered by that', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(response, '{"response":');
    const { id } = await askOf(project, 'help', 'One?');
    await aRoundPasses(project, root);
    expect(files.has(block)).toBe(false);
    await appendFile(files.at(response), '"to nothing"}');
    expect(await files.rejected()).toEqual([expect.stringContaining('no question is shown')]);
    expect(await files.appears(block)).toMatchObject({ requestId: id });
  });

  it('is taken away when the last server leaves, and the question comes back with the next', async () => {
    const { root, project, start, stop } = await serveFiles();
    const files = filesIn(root);
    const { id } = await askOf(project, 'help', 'One?');
    await files.appears(block);
    await stop();
    expect(files.has(block)).toBe(false);
    start();
    expect(await files.appears(block)).toMatchObject({ requestId: id });
  });

  it('stays when another server waits: what a human writes meanwhile counts', async () => {
    const first = await serveFiles();
    const files = filesIn(first.root);
    const { id } = await askOf(first.project, 'help', 'One?');
    await files.appears(block);
    await serveFiles(first.root);
    const { ino } = await stat(files.at(block));
    // It waits once it holds the second lock.
    await expect.poll(() => files.has('.clifford/locks/signals-next.lock'), { timeout: 15_000 }).toBe(true);
    await first.stop();
    expect((await stat(files.at(block))).ino).toBe(ino);
    await files.write(response, { response: 'in between' });
    expect((await closed(first.project, id)).answer?.response).toBe('in between');
  });

  it('comes back when somebody removes it', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await askOf(project, 'help', 'One?');
    await files.appears(block);
    await rm(files.at(block));
    expect(await files.appears(block)).toMatchObject({ question: 'One?' });
  });

  it('of a question that is closed is cleaned up by the next server', async () => {
    const { root, project, start, stop } = await serveFiles();
    const files = filesIn(root);
    await stop();
    const { id } = await askOf(project, 'help', 'One?');
    await answerRequest(project, id, { ...ann, response: 'x' });
    await files.write(block, { type: 'block', question: 'One?', requestId: id });
    await files.write('.clifford/mcp-block.json.01900000-0000-7000-8000-000000000000.tmp', '{');
    await utimes(files.at('.clifford/mcp-block.json.01900000-0000-7000-8000-000000000000.tmp'), 1, 1);
    start();
    await files.vanishes(block);
    expect(await files.names('.clifford')).not.toContainEqual(expect.stringContaining('.tmp'));
    expect(await eventsOf(project, 'signal.rejected')).toEqual([]);
  });
});

describe('CliffordMcpServer.resolveViaFile', () => {
  it('answers the question that is shown', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    expect(CliffordMcpServer.resolveViaFile('x', { projectRoot: root })).toBe(false);
    expect(files.has(response)).toBe(false);
    const { id } = await askOf(project, 'help', 'One?');
    await files.appears(block);
    expect(CliffordMcpServer.resolveViaFile('8080', { projectRoot: root })).toBe(true);
    expect((await closed(project, id)).answer?.response).toBe('8080');
  });

  it('writes nothing but the response for a block of another program', async () => {
    const { root, stop } = await serveFiles();
    const files = filesIn(root);
    await stop();
    await files.write(block, { type: 'block', task: 'a', reason: 'r', question: 'q', timestamp: 1 });
    expect(CliffordMcpServer.resolveViaFile('ok', { projectRoot: root })).toBe(true);
    expect(files.read(response)).toEqual({ response: 'ok' });
  });
});
