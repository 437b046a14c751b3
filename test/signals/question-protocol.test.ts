import { appendFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { eventsOf, untilAsked, untilLogged, untilOpen } from '../mcp/support/project-log.ts';
import { aRoundPasses, askOf, closed, filesIn, questionFiles, serveFiles } from './support/serve-files.ts';

const folder = '.agent-questions';
const ann = { by: 'ann', via: 'cli' };

describe('question files', () => {
  it('show every open clarification, and their answers reach their questions', async () => {
    const { root } = await projectWithSprint();
    const { project } = await serveFiles(root);
    const files = filesIn(root);
    const options = ['Red', 'Blue'];
    const colour = await askOf(project, 'clarification', 'Red or blue?', {
      stream: 'demo',
      options,
      context: 'The page',
    });
    const port = await askOf(project, 'clarification', 'Which port?');
    await askOf(project, 'help', 'Not here');
    const names = await questionFiles(root, 2);
    for (const name of names) expect(name).toMatch(/^q\d{13}_\d+\.json$/);
    const shown = names.map((name) => files.read(`${folder}/${name}`));
    const [about, other] = [colour, port].map(({ id }) => shown.find(({ requestId }) => requestId === id));
    expect(about).toEqual({
      id: expect.stringMatching(/^q\d{13}_\d+$/),
      question: 'Red or blue?',
      options,
      context: 'The page',
      timestamp: Date.parse(colour.askedAt),
      requestId: colour.id,
    });
    expect(Object.keys(other ?? {})).toEqual(['id', 'question', 'timestamp', 'requestId']);

    await files.write(`${folder}/${String(other?.['id'])}_answer.json`, {
      id: other?.['id'],
      answer: '2',
      timestamp: 1,
    });
    await files.write(`${folder}/${String(about?.['id'])}_answer.json`, { answer: 'Blue' });
    expect((await closed(project, port.id)).answer).toMatchObject({ response: '2', by: 'file', via: 'file' });
    expect((await closed(project, colour.id)).answer).toMatchObject({ response: 'Blue', option: 1 });
    await questionFiles(root, 0);
    const received = await untilLogged(project, 'signal.received', 2);
    expect(received.map(({ data }) => data.kind)).toEqual(['answer', 'answer']);
  });

  it('vanish when the question is answered elsewhere, and a late answer is told who was first', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const { id } = await askOf(project, 'clarification', 'Which port?');
    const [name = ''] = await questionFiles(root, 1);
    await dismissRequest(project, id, { ...ann, reason: 'Decide yourself' });
    await questionFiles(root, 0);
    await files.write(`${folder}/${name.replace('.json', '_answer.json')}`, { answer: 'late' });
    expect(await files.rejected()).toEqual([
      expect.stringContaining(`request ${id} is closed: ann dismissed it in the shell (Decide yourself)`),
    ]);
  });

  it('stay while their answer is being written, also when somebody is faster', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    const { id } = await askOf(project, 'clarification', 'Which port?');
    const [name = ''] = await questionFiles(root, 1);
    const answer = files.at(`${folder}/${name.replace('.json', '_answer.json')}`);
    await writeFile(answer, '{"answer":');
    await answerRequest(project, id, { ...ann, response: '8080' });
    await aRoundPasses(project, root);
    expect(files.has(`${folder}/${name}`)).toBe(true);
    await appendFile(answer, '"9090"}');
    expect(await files.rejected()).toEqual([expect.stringContaining('ann answered it in the shell')]);
    await questionFiles(root, 0);
  });
});

describe('a question that the reader of files would refuse', () => {
  const options = (count: number, length: number) => ({
    options: Array.from({ length: count }, (_, at) => `${at}`.padEnd(length, '.')),
  });
  it.each([
    ['clarification', 'Which one?', options(101, 3)],
    ['clarification', 'Which one?', options(100, 10_600)],
    ['clarification', 'Which one?', { options: Array.from({ length: 100 }, () => '文'.repeat(5_000)) }],
    ['help', ' ', {}],
  ] as const)(
    'of kind %s is shown by no file, told of once, and in nobody’s way',
    async (kind, asked, more) => {
      const { root, project, reported } = await serveFiles();
      const files = filesIn(root);
      const where = kind === 'help' ? '.clifford' : folder;
      const unfit = await askOf(project, kind, asked, more);
      await askOf(project, kind, 'Which port?');
      const shown = async () => {
        const [name = ''] = await questionFiles(root, 1);
        return files.read(`${folder}/${name}`);
      };
      if (kind === 'help') await files.appears('.clifford/mcp-block.json');
      const other = kind === 'help' ? files.read('.clifford/mcp-block.json') : await shown();
      expect(other['question']).toBe('Which port?');
      await aRoundPasses(project, root);
      expect(await eventsOf(project, 'signal.rejected')).toEqual([]);
      expect(reported).toEqual([
        `${unfit.id} cannot be shown by a file in ${where}: answer it with clifford answer, or on the screen`,
      ]);
      await answerRequest(project, unfit.id, { ...ann, response: 'none' });
      expect((await closed(project, unfit.id)).answer).toMatchObject({ response: 'none' });
    },
  );
});

describe('a question file dropped in by hand', () => {
  it('becomes a request like any other, and gets its answer', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(`${folder}/test.json`, '{"question":"Test?","options":["A","B"],"context":null}\n');
    const request = await untilAsked(project);
    expect(request.asked).toMatchObject({
      kind: 'clarification',
      question: 'Test?',
      options: ['A', 'B'],
      origin: { agent: expect.stringMatching(/^file:[0-9a-f]{16}$/), client: `${folder}/test.json` },
    });
    expect(await files.names(folder)).toEqual(['test.json']);
    await answerRequest(project, request.id, { ...ann, response: 'B', option: 1 });
    expect(await files.appears(`${folder}/test_answer.json`)).toEqual({
      id: 'test',
      answer: 'B',
      timestamp: expect.any(Number),
    });
    await untilLogged(project, 'help.delivered');
    expect(await files.names(folder)).toEqual(['test.json', 'test_answer.json']);
  });

  it('is its author’s, whatever "requestId" it has, unless it is named as ours are', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(`${folder}/faq1_2.json`, { question: 'Test?', requestId: 'r-7' });
    await files.write(`${folder}/q1_2.json`, { question: 'Of a log that is gone?', requestId: 'r-8' });
    expect((await untilAsked(project)).asked.question).toBe('Test?');
    await files.vanishes(`${folder}/q1_2.json`);
    expect(await files.names(folder)).toEqual(['faq1_2.json']);
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('is answered by a file too, which is left for its author', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(`${folder}/test.json`, { question: 'Test?' });
    const { id } = await untilAsked(project);
    await files.write(`${folder}/test_answer.json`, { id: 'test', answer: 'yes', timestamp: 1 });
    expect((await closed(project, id)).answer).toMatchObject({ response: 'yes', via: 'file' });
    await untilLogged(project, 'help.delivered');
    expect(files.read(`${folder}/test_answer.json`)).toEqual({ id: 'test', answer: 'yes', timestamp: 1 });
    expect(await eventsOf(project, 'signal.rejected')).toEqual([]);
  });

  it('is asked once while it lies there, also by the next server, and again when it is written anew', async () => {
    const { root, project, start, stop } = await serveFiles();
    const files = filesIn(root);
    await files.write(`${folder}/test.json`, { question: 'Test?' });
    const { id } = await untilAsked(project);
    await stop();
    expect(files.has(`${folder}/test.json`)).toBe(true);
    await answerRequest(project, id, { ...ann, response: 'while nobody served' });
    start();
    expect(await files.appears(`${folder}/test_answer.json`)).toMatchObject({
      answer: 'while nobody served',
    });
    await untilLogged(project, 'help.delivered');
    await rm(files.at(`${folder}/test_answer.json`));
    await stop();
    start();
    await askOf(project, 'clarification', 'Another?');
    await questionFiles(root, 2);
    expect(await eventsOf(project, 'help.requested')).toHaveLength(2);

    await writeFile(files.at(`${folder}/test.json`), JSON.stringify({ question: 'Test?' }));
    const open = await untilOpen(project, 2);
    expect(open.map(({ asked }) => asked.question)).toEqual(['Another?', 'Test?']);
  });

  it('that is taken away leaves its question to us', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(`${folder}/test.json`, { question: 'Test?' });
    const { id } = await untilAsked(project);
    await rm(files.at(`${folder}/test.json`));
    await untilLogged(project, 'help.detached');
    const [name = ''] = await questionFiles(root, 1);
    expect(files.read(`${folder}/${name}`)).toMatchObject({ requestId: id });
  });
});
