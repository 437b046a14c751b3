import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { CliffordProject } from '../../src/index.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { storeForm } from '../helpers/store-form.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { untilAsked, untilLogged } from '../mcp/support/project-log.ts';

const questions = storeForm.slice();
const answers = [
  { question: 0, options: [1] },
  { question: 1, options: [0, 2] },
  { question: 2, options: [], words: 'till' },
];
const written = JSON.stringify({ Database: 'SQLite', Features: [1, 'Export'], 3: 'till' });

async function formIn(project: Project): Promise<string> {
  const agent = { id: 'agent-1' };
  const what = {
    kind: 'clarification',
    question: 'The store',
    context: 'It moves next year',
    questions,
  } as const;
  return (await ask(project, { stream: 'demo', agent, ...what })).id;
}

const answerOf = async (project: Project, id: string) => requestById(await project.refresh(), id)?.answer;

describe('clifford answer to a form', () => {
  it.each([
    ['--answers', ['--answers', written], undefined],
    ['--answers from stdin', ['--answers', '-'], written],
    ['lines that name the questions', ['Database: 2\n2: 1, 3\nName: of the service: till'], undefined],
  ])('takes %s', async (_, args, input) => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    const given = await clifford(['answer', id, ...args, '--json'], {
      cwd: root,
      ...(input ? { input } : {}),
    });
    expect(given).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(given.out)).toMatchObject({ done: 'answered', requests: [id] });
    expect(await answerOf(project, id)).toMatchObject({ answers, by: 'ada', via: 'cli' });
  });

  it.each([
    [
      'an answer left out',
      ['--answers', '{"Database":"SQLite","Features":[1]}'],
      'Name: of the service has no answer',
    ],
    ['an unknown question', ['--answers', '{"Port":1}'], 'no question is named Port'],
    ['an unknown option', ['--answers', '{"License":"GPL"}'], 'License takes none but its options'],
    ['no JSON', ['--answers', 'Database: 1'], 'it is not a JSON object of answers'],
    ['words that name none', ['as you like'], 'no question is named in "as you like"'],
    ['nothing, where nobody can be asked', [], 'it takes --answers, --reject or --rephrase, one of them'],
    ['two things', ['--answers', written, '--rephrase', 'x'], 'one of them'],
  ])('refuses %s with 2, in a line and what to do', async (_, args, why) => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    const { code, out, err } = await clifford(['answer', id, ...args], { cwd: root });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(why);
    expect(await answerOf(project, id)).toBeUndefined();
  });

  it('is told who was first, whatever it says', async () => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    await answerRequest(project, id, { answers, by: 'grace', via: 'tui' });
    expect(await clifford(['answer', id, 'as you like'], { cwd: root })).toMatchObject({
      code: 1,
      err: expect.stringContaining('grace answered it on the screen'),
    });
  });

  it('asks for other words', async () => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    expect(await clifford(['answer', id, '--rephrase', 'Which store?'], { cwd: root })).toMatchObject({
      code: 0,
      out: `asked to rephrase ${id} (The store): Which store?\n`,
    });
    expect(await answerOf(project, id)).toMatchObject({ rephrase: true, response: 'Which store?' });
    const { out } = await clifford(['questions', '--all'], { cwd: root });
    expect(out).toContain('asked to rephrase it by ada in the shell');
    const other = await formIn(project);
    await clifford(['answer', other, '--rephrase', ''], { cwd: root });
    const { out: bare } = await clifford(['questions', '--all'], { cwd: root });
    expect(bare).not.toMatch(/:\s*$/m);
  });

  it('asks a person at a terminal each question, and sends what they have looked at', async () => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    const screen = openClifford(['answer', 'last'], { cwd: root, columns: 100, rows: 60 });
    await screen.see(/The store\s+context: It moves next year\s+1\. Database/);
    await screen.see('1. Postgres (recommended): One more service to run');
    await screen.see('│ postgres://db/app');
    await screen.see('2. SQLite: A file beside the program');
    await screen.see('Answer [a number, or own words]');
    screen.press('1,2\r');
    await screen.see('not taken: Database takes one of its options, not 2');
    screen.press('3\r');
    await screen.see('not taken: Database has no option 3, only 2');
    screen.press('5432\r');
    await screen.see('2. Features (several may be chosen)');
    await screen.see('Answer [numbers, as in 1,3; or own words]');
    screen.press('1, 9\r');
    await screen.see('not taken: Features has no option 9, only 3');
    screen.press('1, 3\r');
    await screen.see('3. Name: of the service');
    await screen.see('Answer [own words]');
    screen.press('\r');
    await screen.see('not taken: Name: of the service has no answer');
    screen.press('till\r');
    await screen.see('4. License (only its options, optional)');
    await screen.see('Answer [a number; Enter skips it]');
    screen.press('\r');
    await screen.see('Database: 5432');
    await screen.see('Send it?');
    screen.press('1\r');
    await screen.see(/Send it\?[\s\S]*1\. Database/);
    screen.press('2\r');
    await screen.see(/Send it\?[\s\S]*Send it\?/);
    screen.press('y\r');
    expect(await screen.exited).toBe(0);
    expect(await answerOf(project, id)).toMatchObject({ answers });
  });

  it('says at once that somebody else has answered, and what of it was typed', async () => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    const screen = openClifford(['answer', 'last'], { cwd: root, columns: 100, rows: 60 });
    await screen.see('1. Database');
    screen.press('1\r');
    await screen.see('2. Features');
    await answerRequest(project, id, { answers, by: 'grace', via: 'tui' });
    await screen.see(/Not sent, what you had answered:\s+Database: Postgres\s/);
    await screen.see(/grace answered it on the screen at\s+\S+: Database: SQLite; Features: Login, Export;/);
    expect(await screen.exited).toBe(1);
    expect(await answerOf(project, id)).toMatchObject({ answers, by: 'grace' });
  });

  it('sends nothing when they press Ctrl-D', async () => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    const screen = openClifford(['answer', 'last'], { cwd: root, columns: 100, rows: 60 });
    await screen.see('2. SQLite');
    screen.press('\u0004');
    expect(await screen.exited).toBe(130);
    expect(await answerOf(project, id)).toBeUndefined();
  });
});

describe('how a form is answered, as it is said to be', () => {
  const title = `x'; exit 7; echo '`;

  it.each([[[]], [['--answers', '{}']]])('is a line that does nothing else in a shell: %j', async (given) => {
    const { root, project } = await projectWithSprint();
    const agent = { id: 'agent-1' };
    const asked = [
      { title, question: 'Which?' },
      { title: 'b', question: 'Or what?' },
    ];
    const what = { kind: 'clarification', question: 'The store', questions: asked } as const;
    const { id } = await ask(project, { stream: 'demo', agent, ...what });
    const { code, err } = await clifford(['answer', id, ...given], { cwd: root });
    expect(code).toBe(2);
    const [typed = ''] = /clifford answer .*/.exec(err) ?? [];
    const { stdout } = await execa('bash', ['-c', typed.replace('clifford', String.raw`printf '%s\n'`)]);
    expect(stdout.split('\n')).toEqual(['answer', id, '--answers', '{"1":"…","2":"…"}']);
    const pasted = ['answer', id, '--answers', '{"1":"…","2":"x"}'];
    expect(await clifford(pasted, { cwd: root })).toMatchObject({
      code: 2,
      err: expect.stringContaining('it stands for what you want to say'),
    });
  });
});

describe('a form in lists', () => {
  it('has its answers apart once it is answered: a line for each, or one behind the other', async () => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    await answerRequest(project, id, { answers, by: 'grace', via: 'tui' });
    const { out } = await clifford(['questions', '--all'], { cwd: root });
    expect(out).toContain(
      [
        '    answered by grace on the screen, which no agent has received yet:',
        '      Database: SQLite',
        '      Features:',
        '      - Login',
        '      - Export',
        '      Name: of the service: till',
        '      License: (no answer)',
      ].join('\n'),
    );
    const { out: history } = await clifford(['replay', 'demo', '--plain'], { cwd: root });
    expect(history).toContain(
      'Database: SQLite; Features: Login, Export; Name: of the service: till; License',
    );
  });

  it('shows its questions and how to answer them, and all of it to programs', async () => {
    const { root, project } = await projectWithSprint();
    await formIn(project);
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out).toContain('1. Database: Which database does the service get?');
    expect(out).toContain('1. Postgres (recommended): One more service to run');
    expect(out).toContain(`--answers '{"1":"…","2":"…"}'`);
    const { out: json } = await clifford(['questions', '--json'], { cwd: root });
    expect(JSON.parse(json)).toMatchObject([{ question: 'The store', questions, options: [] }]);
  });
});

describe('clifford ask with --questions', () => {
  it('asks a form, and tells programs the answer to each question', async () => {
    const { root, project } = await projectWithSprint();
    const asked = clifford(['ask', '--questions', JSON.stringify(questions), '--json'], { cwd: root });
    const { id, asked: what } = await untilAsked(project);
    expect(what).toMatchObject({ kind: 'clarification', questions });
    await answerRequest(project, id, { answers, by: 'grace', via: 'tui' });
    expect(JSON.parse((await asked).out)).toMatchObject({
      status: 'answered',
      answer: expect.stringContaining('Database: SQLite'),
      answers: [
        { title: 'Database', chosen: ['SQLite'] },
        { title: 'Features', chosen: ['Login', 'Export'] },
        { title: 'Name: of the service', chosen: [], words: 'till' },
        { title: 'License', chosen: [] },
      ],
    });
    await untilLogged(project, 'help.delivered');
  });

  it('takes a text as an option, as --option does', async () => {
    const { root, project } = await projectWithSprint();
    const form = [{ title: 'Database', options: ['Postgres', { label: 'SQLite' }] }];
    const asked = clifford(['ask', '--questions', JSON.stringify(form), '--json'], { cwd: root });
    const { id, asked: what } = await untilAsked(project);
    expect(what).toMatchObject({
      questions: [{ title: 'Database', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }],
    });
    await answerRequest(project, id, { answers: [{ question: 0, options: [1] }], by: 'grace', via: 'tui' });
    expect(await asked).toMatchObject({ code: 0 });
  });

  it('ends with 1 when it is wanted in other words', async () => {
    const { root, project } = await projectWithSprint();
    const asked = clifford(['ask', 'Which port?', '--json'], { cwd: root });
    const { id } = await untilAsked(project);
    await answerRequest(project, id, { response: 'Of what?', rephrase: true, by: 'grace', via: 'tui' });
    const { code, out } = await asked;
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ status: 'rephrase', reason: 'Of what?' });
  });

  it.each([
    ['no JSON', 'Database?', 'QUESTIONS_INVALID'],
    [
      '10,000 options',
      JSON.stringify([
        { title: 'a', options: Array.from({ length: 10_000 }, (_, at) => ({ label: `${at}` })) },
      ]),
      'TEXT_TOO_LONG',
    ],
    [
      'one option',
      JSON.stringify([{ title: 'a', options: [{ label: 'b' }] }]),
      'Cannot ask these questions: question 1, options: ',
    ],
    [
      'an option that is no text and no option',
      JSON.stringify([{ title: 'a' }, { title: 'b', options: ['x', 2] }]),
      'Cannot ask these questions: question 2, option 2: ',
    ],
    [
      'a key that a question does not have',
      JSON.stringify([{ title: 'a' }, { title: 'b', choices: ['x', 'y'] }]),
      'question 2: it has no key choices; the keys of a question are title, question, options, multiple, ownWords, required\n',
    ],
    [
      'a key that an option does not have',
      JSON.stringify([{ title: 'a', options: ['x', { label: 'y', about: 'z' }] }]),
      'question 1, option 2: it has no key about; the keys of an option are label, description, preview, recommended\n',
    ],
  ])('refuses %s with 2', async (_, text, why) => {
    const { root } = await projectWithSprint();
    const { code, err } = await clifford(['ask', '--questions', '-'], { cwd: root, input: text });
    expect(code).toBe(2);
    expect(err).toContain(
      why === 'QUESTIONS_INVALID'
        ? 'Cannot ask these questions'
        : why === 'TEXT_TOO_LONG'
          ? 'Cannot accept a text'
          : why,
    );
  });
});

describe('a form in the library', () => {
  it('is shown with its questions, answered by their titles, and asked for in other words', async () => {
    const { root, project } = await projectWithSprint();
    const id = await formIn(project);
    const own = await CliffordProject.open({ projectRoot: root, by: 'ada' });
    expect(await own.questions()).toMatchObject([{ requestId: id, questions }]);
    await expect(own.answerForm(id, { Database: 'SQLite' })).rejects.toMatchObject({ code: 'ANSWERS_UNFIT' });
    expect(await own.answerForm(id, JSON.parse(written) as Record<string, unknown>)).toMatchObject({
      accepted: true,
      response: expect.stringContaining('Database: SQLite'),
    });
    expect(await own.answerForm('q-none', {})).toEqual({ accepted: false, because: 'unknown' });
    const agent = { id: 'agent-1' };
    const other = await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Which port?' });
    expect(await own.rephrase(other.id, 'Of what?')).toMatchObject({ accepted: true });
    expect(await answerOf(project, other.id)).toMatchObject({ rephrase: true });
    await own.close();
  });
});
