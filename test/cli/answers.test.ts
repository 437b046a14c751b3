import { describe, expect, it } from 'vitest';
import type { Project } from '../../src/workflow/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

async function question(project: Project, text = 'Which port?'): Promise<string> {
  const agent = { id: 'agent-1' };
  return (await ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question: text })).id;
}

describe('clifford answer', () => {
  it('answers the only open question, in the name of the user', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    expect(await clifford(['answer', 'last', 'Port 8080'], { cwd: root })).toEqual({
      code: 0,
      signal: null,
      out: `answered ${id} (Which port?): Port 8080\n`,
      err: '',
    });
    expect(requestById(await project.refresh(), id)?.answer).toMatchObject({
      response: 'Port 8080',
      by: 'ada',
      via: 'cli',
    });
  });

  it('takes a unique beginning of the id', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    expect(await clifford(['answer', id.slice(0, -4), 'yes'], { cwd: root })).toMatchObject({ code: 0 });
  });

  it('is told who won when it comes second, with 1', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    await answerRequest(project, id, { response: 'Port 80', by: 'grace', via: 'tui' });
    const { code, out, err } = await clifford(['answer', id, 'Port 8080'], { cwd: root });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(
      new RegExp(
        `^clifford: Cannot answer ${id}: grace answered it through tui at \\S+: Port 80\\n {2}See what is open`,
      ),
    );
  });

  it('lets exactly one of two win', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    const answers = await Promise.all(
      ['one', 'two'].map((text) => clifford(['answer', id, text], { cwd: root })),
    );
    const response = requestById(await project.refresh(), id)?.answer?.response ?? '';
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([0, 1]));
    expect(answers.find(({ code }) => code === 0)?.out).toContain(`: ${response}\n`);
    expect(answers.find(({ code }) => code === 1)?.err).toMatch(
      new RegExp(`ada answered it .*: ${response}\\n`),
    );
  });

  it('lists the open questions when last could be several, with 1', async () => {
    const { root, project } = await projectWithSprint();
    const ids = [await question(project), await question(project, 'Which host?')];
    const { code, err } = await clifford(['answer', 'last', 'x'], { cwd: root });
    expect(code).toBe(1);
    expect(err).toContain(`it could be ${ids[0]} (Which port?), ${ids[1]} (Which host?)\n`);
    expect(err).toContain('Name one by its id');
  });

  it.each([
    ['last', 'no request is open'],
    ['q-none', 'no request has that id'],
  ])('says that there is nothing to answer for %s, with 1', async (name, reason) => {
    const { code, err } = await clifford(['answer', name, 'x'], { cwd: await tempRoot() });
    expect(code).toBe(1);
    expect(err).toContain(reason);
  });

  it('warns of what looks like a secret, and sends it', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    const token = `ghp_${'a1'.repeat(18)}`;
    const { code, err } = await clifford(['answer', id, token], { cwd: root });
    expect({ code, err }).toEqual({
      code: 0,
      err: 'note: this looks like a secret; answers are kept in the log as they are\n',
    });
    expect(requestById(await project.refresh(), id)?.answer?.response).toBe(token);
  });

  it('shows what an agent hides in its question', async () => {
    const { root, project } = await projectWithSprint();
    await question(project, 'Delete \u001B[8m everything \u202Enow?');
    const { out } = await clifford(['status'], { cwd: root });
    expect(out).toContain(String.raw`Delete \x1b[8m everything \u202enow?`);
  });
});

describe('clifford dismiss', () => {
  it('ends a question without an answer', async () => {
    const { root, project } = await projectWithSprint();
    const id = await question(project);
    expect(await clifford(['dismiss', 'last', '--reason', 'Decide yourself'], { cwd: root })).toMatchObject({
      code: 0,
      out: `dismissed ${id} (Which port?)\n`,
    });
    const second = await clifford(['dismiss', id], { cwd: root });
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toContain(`Cannot dismiss ${id}: ada dismissed it through cli (Decide yourself)`);
  });
});
