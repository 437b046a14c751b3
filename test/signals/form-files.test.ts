import { describe, expect, it } from 'vitest';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { storeForm } from '../helpers/store-form.ts';
import { untilAsked, untilLogged } from '../mcp/support/project-log.ts';
import { askOf, closed, filesIn, questionFiles, serveFiles } from './support/serve-files.ts';

const folder = '.agent-questions';
const ann = { by: 'ann', via: 'cli' };
const answers = [
  { question: 0, options: [1] },
  { question: 1, options: [0, 2], words: 'and more' },
  { question: 2, options: [], words: 'till' },
];
const written = { Database: 'SQLite', Features: [1, 'Export', 'and more'], 'Name: of the service': 'till' };

/** A form that is shown in a file, and the name of the file that answers it. */
async function shownForm() {
  const { root, project } = await serveFiles();
  const request = await askOf(project, 'clarification', 'The store', { questions: storeForm.slice() });
  const [name = ''] = await questionFiles(root, 1);
  const answerFile = `${folder}/${name.replace('.json', '_answer.json')}`;
  return { files: filesIn(root), project, request, name, answerFile };
}

describe('the file of a form', () => {
  it('has its questions, and takes answers by their titles', async () => {
    const { files, project, request, name, answerFile } = await shownForm();
    expect(files.read(`${folder}/${name}`)).toMatchObject({ question: 'The store', questions: storeForm });
    await files.write(answerFile, { answers: written });
    expect((await closed(project, request.id)).answer).toMatchObject({ answers, by: 'file', via: 'file' });
    await files.vanishes(answerFile);
  });

  it('takes lines that name the questions, too', async () => {
    const { files, project, request, answerFile } = await shownForm();
    await files.write(answerFile, { answer: '1: 2\n2: 1\n2: Export\n2: and more\n3: till' });
    expect((await closed(project, request.id)).answer).toMatchObject({ answers });
  });

  it.each([
    ['an answer that fits no question', { answer: 'yes' }, 'no question is named in "yes"'],
    ['answers that leave one out', { answers: { ...written, Database: null } }, 'Database has no answer'],
    ['an answer to another question', { answers: { ...written, Port: 1 } }, 'no question is named Port'],
    ['no answer', { id: undefined }, '"answer" is missing'],
  ])('moves %s aside with the reason, and stays', async (_, content, why) => {
    const { files, project, request, name, answerFile } = await shownForm();
    await files.write(answerFile, content);
    expect(await files.rejected()).toEqual([expect.stringContaining(why)]);
    expect(files.has(`${folder}/${name}`)).toBe(true);
    await answerRequest(project, request.id, { ...ann, answers });
  });

  it.each([
    ['rejected', { rejected: true }],
    ['asked to be put in other words', { rephrase: true }],
  ])('can be %s', async (_, word) => {
    const { files, project, request, answerFile } = await shownForm();
    await files.write(answerFile, { ...word, answer: 'Read the plan' });
    const { answer } = await closed(project, request.id);
    expect(answer).toMatchObject({ ...word, response: 'Read the plan' });
  });
});

describe('a form that another program writes', () => {
  it('is asked, and its author gets the answers by their titles', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(`${folder}/store.json`, { questions: storeForm });
    const request = await untilAsked(project);
    expect(request.asked).toMatchObject({ kind: 'clarification', questions: storeForm });
    await answerRequest(project, request.id, { ...ann, answers });
    expect(await files.appears(`${folder}/store_answer.json`)).toMatchObject({
      answer: expect.stringContaining('Database: SQLite\n'),
      answers: {
        Database: { options: ['SQLite'] },
        Features: { options: ['Login', 'Export'], words: 'and more' },
        License: { options: [] },
      },
    });
  });

  it('may be answered by a file, which is left for its author', async () => {
    const { root, project } = await serveFiles();
    const files = filesIn(root);
    await files.write(`${folder}/store.json`, { questions: storeForm });
    const { id } = await untilAsked(project);
    await files.write(`${folder}/store_answer.json`, { answers: written });
    expect((await closed(project, id)).answer).toMatchObject({ answers });
    await untilLogged(project, 'help.delivered');
    expect(files.read(`${folder}/store_answer.json`)).toEqual({ answers: written });
  });

  it.each([
    [
      '10,000 options',
      Array.from({ length: 10_000 }, (_, at) => ({ label: `${at}` })),
      'has more than 20 entries',
    ],
    ['one option', [{ label: 'a' }], 'has fewer than 2 entries'],
  ])('is moved aside with %s', async (_, options, why) => {
    const { root } = await serveFiles();
    const files = filesIn(root);
    await files.write(`${folder}/store.json`, { questions: [{ title: 'Which?', options }] });
    expect(await files.rejected()).toEqual([expect.stringContaining(`"questions.0.options" ${why}`)]);
  });
});
