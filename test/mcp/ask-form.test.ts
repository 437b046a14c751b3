import { describe, expect, it } from 'vitest';
import type { RequestState } from '../../src/machines/project-state.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { storeForm } from '../helpers/store-form.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { eventsOf, untilAsked, untilLogged } from './support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const questions = storeForm;
const answers = [
  { question: 0, options: [1] },
  { question: 1, options: [], words: 'all of them' },
  { question: 2, options: [], words: 'till' },
];

const env = { CURRENT_SPRINT_DIR: 'sprints/demo' };

/** An agent that asks, and what the human is asked. */
async function asking(args: object = { questions }) {
  const { root, project } = await projectWithSprint();
  const agent = await connectAgent(root, { env });
  const result = agent.call('ask_clarification', args);
  return { ...agent, root, project, result, request: await untilAsked(project) };
}

function answer(project: Project, { id }: RequestState, said: object) {
  return answerRequest(project, id, { ...said, ...human });
}

describe('several questions in one call of ask_clarification', () => {
  it('are one request, known by its titles where nothing says what they are about', async () => {
    const { project, request, result } = await asking();
    expect(request.asked).toMatchObject({ kind: 'clarification', questions });
    expect(request.asked.question).toBe('Database, Features, Name: of the service, License');
    expect(request.asked).not.toHaveProperty('options');
    await answer(project, request, { answers });
    await result;
  });

  it('return the answer to each, as a structure and as text', async () => {
    const { project, request, result } = await asking({ question: 'The store', questions });
    await answer(project, request, { answers });
    expect((await result).structuredContent).toEqual({
      answers: [
        { title: 'Database', chosen: ['SQLite'] },
        { title: 'Features', chosen: [], words: 'all of them' },
        { title: 'Name: of the service', chosen: [], words: 'till' },
        { title: 'License', chosen: [] },
      ],
    });
    expect(textOf(await result)).toBe(
      'Database: SQLite\nFeatures: all of them\nName: of the service: till\nLicense: (no answer)',
    );
    const [{ data } = {}] = await untilLogged(project, 'help.answered');
    expect(data).toMatchObject({ answers, response: textOf(await result) });
    await untilLogged(project, 'help.delivered');
  });

  it('can be answered in words, by lines that name the questions', async () => {
    const { project, request, result } = await asking();
    await answer(project, request, { response: '1: 2\n2: 1, 2\nName: of the service: till' });
    expect(textOf(await result)).toContain('Database: SQLite\nFeatures:\n- Login\n- Search\n');
  });

  it.each([
    ['words that name no question', { response: 'as you like' }, 'no question is named in "as you like"'],
    ['a question that has to be answered left out', { answers: answers.slice(1) }, 'Database has no answer'],
    [
      'what does not fit',
      { answers: [{ question: 0, options: [7] }, ...answers.slice(1)] },
      'has no option 8',
    ],
  ])('refuse %s, and stay open', async (_, said, why) => {
    const { project, request, result } = await asking();
    await expect(answer(project, request, said)).rejects.toMatchObject({
      code: 'ANSWERS_UNFIT',
      message: expect.stringContaining(why),
    });
    await answer(project, request, { answers });
    await result;
  });

  it('are rejected as a whole, with a reason', async () => {
    const { project, request, result } = await asking();
    await answer(project, request, { response: 'Read the plan', rejected: true });
    expect(textOf(await result)).toMatch(/^The human rejected this question \(q-.*\): Read the plan\n/);
    expect((await result).structuredContent).toBeUndefined();
  });

  it('are the same question again in other spaces and case, and another one with another question in it', async () => {
    const { project, call, request, result } = await asking();
    const [first, ...others] = questions;
    const again = [{ ...first, title: ' DATABASE ', options: undefined }, ...others];
    const joined = call('ask_clarification', { questions: again });
    await untilLogged(project, 'tool.requested', 2);
    const changed = [{ ...first, question: 'Which database, then?' }, ...others];
    const other = call('ask_clarification', { question: request.asked.question, questions: changed });
    const [, second] = await untilLogged(project, 'help.requested', 2);
    await answer(project, request, { answers });
    expect(textOf(await joined)).toBe(textOf(await result));
    await answerRequest(project, second?.data.requestId ?? '', { answers, ...human });
    await other;
    expect(await eventsOf(project, 'help.requested')).toHaveLength(2);
  });

  it('are handed to the next attempt with what was asked, when nobody waited', async () => {
    const { root, project, client, request, result } = await asking();
    await client.close();
    await result.catch(() => undefined);
    await untilLogged(project, 'help.detached');
    await answer(project, request, { answers });
    const next = await connectAgent(root, { env });
    const context = await next.text('get_sprint_context', { sprintDir: 'sprints/demo' });
    const { guidance } = JSON.parse(context) as { guidance: Record<string, string> };
    expect(guidance['previousQuestion']).toContain('- Database: Which database does the service get?');
    expect(guidance['humanResponse']).toContain('Database: SQLite');
  });

  const option = (at: number) => ({ label: `${at}` });
  const [first] = questions;
  it.each([
    [
      '10,000 options',
      [{ ...first, options: Array.from({ length: 10_000 }, (_, at) => option(at)) }],
      'questions.0.options',
    ],
    ['10,000 questions', Array.from({ length: 10_000 }, (_, at) => ({ title: `${at}` })), 'questions: '],
    ['no question', [], 'questions: '],
    ['one option', [{ ...first, options: [option(1)] }], 'questions.0.options'],
    [
      'two titles that are the same',
      [first, { title: 'database ' }],
      'questions: expected titles that differ',
    ],
    ['two labels that are the same', [{ ...first, options: [option(1), option(1)] }], 'labels that differ'],
    [
      'two recommendations',
      [{ ...first, options: [1, 2].map((at) => ({ ...option(at), recommended: true })) }],
      'one recommended option at most',
    ],
    ['a title of two lines', [{ title: 'a\nb' }], 'questions.0.title: expected one line'],
    [
      'neither options nor own words',
      [{ title: 'a', ownWords: false }],
      'questions.0: expected options, or own words',
    ],
    [
      'previews without end',
      Array.from({ length: 10 }, (_, at) => ({
        title: `${at}`,
        options: [1, 2].map((each) => ({ ...option(each), preview: 'x'.repeat(9_000) })),
      })),
      'at most 65536 characters',
    ],
    ['a field it does not know', [{ ...first, choices: [] }], 'choices'],
  ])('are refused with %s, in one line', async (_, form, names) => {
    const { root, project } = await projectWithSprint();
    const { call } = await connectAgent(root);
    const result = await call('ask_clarification', { questions: form });
    expect(result.isError).toBe(true);
    const text = textOf(result);
    expect(text).toMatch(/^Cannot call ask_clarification: /);
    expect(text).toContain(names);
    expect(text.length).toBeLessThan(300);
    expect(text).not.toContain('\n');
    expect(await eventsOf(project, 'help.requested')).toEqual([]);
  });

  it.each([
    ['options beside them', { questions, options: ['a', 'b'] }, 'belong to each of questions'],
    ['neither of both', { context: 'x' }, 'expected question, or questions'],
  ])('are refused with %s', async (_, args, why) => {
    const { root } = await projectWithSprint();
    const { call } = await connectAgent(root);
    expect(textOf(await call('ask_clarification', args))).toContain(why);
  });
});

describe('a question that the human wants in other words', () => {
  it.each([
    ['ask_clarification', { question: 'Which way?' }],
    ['request_help', { task: 'a', reason: 'blocked', question: 'Which way?' }],
  ])('tells the agent to call %s again, and what was unclear', async (tool, args) => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    const said = text(tool, args);
    const request = await untilAsked(project);
    await answer(project, request, { response: 'Which ways are there?', rephrase: true });
    expect(await said).toMatch(
      new RegExp(
        `^The human asks you to put this question \\(${request.id}\\) in other words: Which ways are there\\?\n`,
      ),
    );
    expect(await said).toContain(`Call ${tool} again`);
    expect(project.state.streams.get(request.stream)?.requests.get(request.id)?.phase).toMatch(
      /answered|delivered/,
    );
  });
});
