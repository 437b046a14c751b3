import { appendFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { eventsOf, untilAsked, untilLogged } from '../mcp/support/project-log.ts';
import { aRoundPasses, askOf, closed, filesIn, serveFiles } from './support/serve-files.ts';

const block = '.clifford/mcp-block.json';
const response = '.clifford/mcp-response.json';
const ann = { by: 'ann', via: 'cli' };

/** Time that passes is what it is and `aheadMs` more. */
function shiftedClock(): { aheadMs: number } {
  const shift = { aheadMs: 0 };
  const now = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + shift.aheadMs);
  onTestFinished(() => spy.mockRestore());
  return shift;
}

describe('a block of another program', () => {
  const theirs = { type: 'block', task: 'a', reason: 'Two are free', question: 'Which port?', timestamp: 1 };

  it('becomes a request of the only sprint under way, whose answer is written for it', async () => {
    const { root, project, stream } = await projectWithSprint();
    await askOf(project, 'clarification', 'starts a', { stream, task: 'a' });
    await serveFiles(root);
    const files = filesIn(root);
    await files.write(block, theirs);
    const [received] = await untilLogged(project, 'signal.received');
    expect(received?.data).toMatchObject({ file: block, kind: 'block' });
    const [, asked] = await eventsOf(project, 'help.requested');
    expect(asked).toMatchObject({
      subject: 'demo/a',
      data: {
        kind: 'help',
        question: 'Which port?',
        reason: 'Two are free',
        task: 'a',
        origin: { client: block },
      },
    });
    const id = asked?.data.requestId ?? '';
    await answerRequest(project, id, { ...ann, response: '8080' });
    expect(await files.appears(response)).toEqual({ response: '8080' });
    await untilLogged(project, 'help.delivered');
    expect(files.read(block)).toEqual(theirs);
    // Its author takes both away, the response first: one without its block is nobody's, and rejected.
    await rm(files.at(response));
    await rm(files.at(block));
    const next = await askOf(project, 'help', 'Ours?');
    expect(await files.appears(block)).toMatchObject({ requestId: next.id });
    expect(await eventsOf(project, 'help.answered')).toHaveLength(1);
    expect(await eventsOf(project, 'signal.rejected')).toHaveLength(0);
    expect(await eventsOf(project, 'help.detached')).toHaveLength(0);
  });

  it('keeps its place before ours, and its response is left for its author', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(block, theirs);
    const { id } = await untilAsked(project);
    const ours = await askOf(project, 'help', 'Ours?');
    await files.write(response, { response: 'from a human' });
    expect((await closed(project, id)).answer).toMatchObject({ response: 'from a human', via: 'file' });
    await untilLogged(project, 'help.delivered');
    expect(files.read(response)).toEqual({ response: 'from a human' });
    expect(files.read(block)).toEqual(theirs);
    await Promise.all([rm(files.at(block)), rm(files.at(response))]);
    expect(await files.appears(block)).toMatchObject({ requestId: ours.id });
    expect((await untilAsked(project)).id).toBe(ours.id);
  });

  it('gets an answer, too, that no reader of such a file would take for one', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(block, theirs);
    const { id } = await untilAsked(project);
    await dismissRequest(project, id, { ...ann, reason: 'x'.repeat(65_500) });
    const written = await files.appears(response);
    await untilLogged(project, 'help.delivered');
    await aRoundPasses(project, root);
    expect(files.read(response)).toEqual(written);
    expect(await eventsOf(project, 'signal.rejected')).toEqual([]);
  });

  it('stays when it is answered, for as long as no question of ours needs its place', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const clock = shiftedClock();
    await files.write(block, theirs);
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { ...ann, response: 'x' });
    await untilLogged(project, 'help.delivered');
    await aRoundPasses(project, root);
    clock.aheadMs = 20_000;
    await aRoundPasses(project, root);
    expect(files.read(block)).toEqual(theirs);
    expect(files.read(response)).toEqual({ response: 'x' });
  });

  it('that is answered makes room ten seconds after a question of ours needs its place', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const clock = shiftedClock();
    await files.write(block, theirs);
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { ...ann, response: 'x' });
    await untilLogged(project, 'help.delivered');
    const ours = await askOf(project, 'help', 'Ours?');
    await aRoundPasses(project, root);
    clock.aheadMs = 5_000;
    await aRoundPasses(project, root);
    expect(files.read(block)).toEqual(theirs);
    clock.aheadMs = 10_001;
    await aRoundPasses(project, root);
    expect(files.read(block)).toMatchObject({ requestId: ours.id });
  });

  it('whose words the log refuses is moved aside with the reason, and ours is shown', async () => {
    // What the log writes in place of each secret is longer than the secret.
    const { root, project } = await serveFiles(undefined, { A_RATHER_LONG_API_TOKEN: 'tok-12345678' });
    const files = filesIn(root);
    await files.write(block, { ...theirs, question: 'tok-12345678 '.repeat(5_000) });
    expect(await files.rejected()).toEqual([
      expect.stringContaining('Cannot append help.requested to stream adhoc'),
    ]);
    const ours = await askOf(project, 'help', 'Ours?');
    await vi.waitFor(() => expect(files.read(block)).toMatchObject({ requestId: ours.id }), 15_000);
    expect(await eventsOf(project, 'signal.received')).toEqual([]);
  });

  it('is read as a block alone, whatever else it has that a question file would have', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const more = { ...theirs, id: 'p-1', options: 'none', context: 1 };
    await files.write(block, more);
    const { id } = await untilAsked(project);
    await files.write('.clifford/mcp-block_answer.json', { answer: 'to a question of that name' });
    await aRoundPasses(project, root);
    await aRoundPasses(project, root);
    expect((await untilAsked(project)).id).toBe(id);
    expect(files.read(block)).toEqual(more);
    expect(await eventsOf(project, 'signal.rejected')).toEqual([]);
  });

  it('that is taken away unanswered leaves its question to us', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(block, theirs);
    const { id } = await untilAsked(project);
    await rm(files.at(block));
    const [detached] = await untilLogged(project, 'help.detached');
    expect(detached?.data).toMatchObject({ requestId: id, why: `${block} was taken away by its author` });
    expect(await files.appears(block)).toMatchObject({ requestId: id, question: 'Which port?' });
  });

  it('is asked once, whatever becomes of the server, and a second time when it is written again', async () => {
    const { root, project, start, stop } = await serveFiles();
    const files = filesIn(root);
    await files.write(block, theirs);
    const { id } = await untilAsked(project);
    await stop();
    expect(files.has(block)).toBe(true);
    start();
    await appendFile(files.at(block), '\n');
    await answerRequest(project, id, { ...ann, response: 'x' });
    await files.appears(response);
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
    await Promise.all([rm(files.at(block)), rm(files.at(response))]);
    await writeFile(files.at(block), JSON.stringify(theirs));
    expect((await untilAsked(project)).id).not.toBe(id);
  });
});
