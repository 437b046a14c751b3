import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/events/approval.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { approval } from '../helpers/approval.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { fact } from '../helpers/facts.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

async function call(project: Project, path: string, over: Partial<Approval> = {}): Promise<string> {
  const what = { ...approval, args: { path }, callDigest: path, ...over };
  return (await askApproval(project, { stream: 'demo', taskId: 'a', agent: { id: 'run-1' }, approval: what }))
    .id;
}

async function verdicts(project: Project, ...ids: string[]) {
  const state = await project.refresh();
  return ids.map((id) => requestById(state, id)?.answer?.verdict);
}

describe('clifford approve --same', () => {
  it('lists each call that waits alike, asks, and allows all that were listed', async () => {
    const { root, project } = await projectWithSprint();
    const one = await call(project, 'a.txt');
    const two = await call(project, 'b\u202E.txt');
    const other = await call(project, 'c.txt', { tool: 'delete_file' });
    const open = () => openClifford(['approve', one, '--same'], { cwd: root });
    const no = open();
    await no.see(/1 of 2: .*"path": "a.txt"[^]*2 of 2: .*"path": "b\\u202e.txt"[^]*Allow these 2 calls\?/s);
    expect(no.lines().join()).not.toContain('c.txt');
    no.press('n\r');
    expect(await no.exited).toBe(1);
    expect(await verdicts(project, one, two)).toEqual([undefined, undefined]);

    const yes = open();
    await yes.see('Allow these 2 calls?');
    // What comes after the list was not seen.
    const late = await call(project, 'd.txt');
    yes.press('y\r');
    expect(await yes.exited).toBe(0);
    expect(await verdicts(project, one, two, other, late)).toEqual([
      'approved',
      'approved',
      undefined,
      undefined,
    ]);
  });

  it('is named on the cards of calls that wait alike', async () => {
    const { root, project } = await projectWithSprint();
    const one = await call(project, 'a.txt');
    const two = await call(project, 'b.txt');
    const other = await call(project, 'c.txt', { tool: 'delete_file' });
    const { out } = await clifford(['questions'], { cwd: root });
    const cards = out.split('\n\n');
    const card = (id: string) => cards.find((each) => each.startsWith(id));
    for (const id of [one, two]) expect(card(id)).toContain('all 2 that wait like it');
    expect(card(other)).not.toContain('like it');
  });

  it('takes last for any of them where nothing else waits', async () => {
    const { root, project } = await projectWithSprint();
    const one = await call(project, 'a.txt');
    const two = await call(project, 'b.txt');
    const last = () => openClifford(['approve', 'last', '--same'], { cwd: root });
    const yes = last();
    await yes.see('Allow these 2 calls?');
    yes.press('y\r');
    expect(await yes.exited).toBe(0);
    expect(await verdicts(project, one, two)).toEqual(['approved', 'approved']);
    await call(project, 'c.txt');
    await call(project, 'd.txt', { tool: 'delete_file' });
    await last().see('Cannot tell which is the last request');
  });

  it('needs a terminal or --yes, and says what it has allowed', async () => {
    const { root, project } = await projectWithSprint();
    const ids = [await call(project, 'a.txt'), await call(project, 'b.txt')];
    const [first = ''] = ids;
    expect(await clifford(['approve', first, '--same'], { cwd: root })).toMatchObject({
      code: 2,
      err: expect.stringContaining('nobody can be asked about them here'),
    });
    expect(await clifford(['approve', first.slice(0, -1), '--same', '--yes'], { cwd: root })).toMatchObject({
      code: 2,
    });
    const asAgent = { cwd: root, env: { CLIFFORD_RUN_ID: 'run-1' } };
    expect((await clifford(['approve', first, '--same', '--yes'], asAgent)).err).toContain('a human decides');
    expect(await verdicts(project, ...ids)).toEqual([undefined, undefined]);
    const { code, out } = await clifford(['approve', first, '--same', '--yes'], { cwd: root });
    expect(code).toBe(0);
    for (const id of ids) expect(out).toContain(`allowed ${id}: fs write_file, this call\n`);
    expect(await verdicts(project, ...ids)).toEqual(['approved', 'approved']);
    expect((await clifford(['approve', first, '--same', '--yes'], { cwd: root })).err).toContain(
      `Cannot approve ${first}: ada allowed it`,
    );
  });

  it('says which agents were parked, and start again', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    await project.record('demo', [
      { ...fact('sprint.started'), subject: 'demo' },
      { ...fact('task.started'), subject: 'demo/a' },
      { ...fact('agent.started'), subject: 'demo/a' },
      { ...fact('task.started', { runId: 'run-2' }), subject: 'demo/b' },
    ]);
    const first = await call(project, 'a.txt');
    await call(project, 'b.txt');
    const agent = { id: 'run-2', runId: 'run-2' };
    const what = { ...approval, args: { path: 'c.txt' }, callDigest: 'c.txt' };
    await askApproval(project, { stream: 'demo', taskId: 'b', agent, approval: what });
    await project.record('demo', [{ ...fact('agent.parked'), subject: 'demo/a' }]);
    const { out, err } = await clifford(['approve', first, '--same', '--yes'], { cwd: root });
    expect(out).toMatch(/(?:allowed .*\n){3}the agent of a was parked: it starts again\n$/);
    expect(err).toBe('next: clifford run demo\n');
  });

  it('asks about one call alone, and says at once of a question and of a call that somebody has decided', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, 'a.txt');
    const question = await ask(project, {
      stream: 'demo',
      agent: { id: 'x' },
      kind: 'help',
      question: 'Why?',
    });
    const alone = openClifford(['approve', id, '--same'], { cwd: root });
    await alone.see('Allow this call?');
    alone.press('y\r');
    expect(await alone.exited).toBe(0);
    const of = (name: string) => clifford(['deny', name, '--same', '--yes'], { cwd: root });
    expect((await of(question.id)).err).toContain(`Cannot deny ${question.id}: it is a question`);
    expect(await of(id)).toMatchObject({ out: '', err: expect.stringContaining('allowed it') });
  });

  it.each([['--scope', 'always'], ['--edit'], ['--command', 'x'], ['--args', '{}']])(
    'goes with no %s',
    async (...options) => {
      const { root, project } = await projectWithSprint();
      const id = await call(project, 'a.txt');
      const { code, err } = await clifford(['approve', id, '--same', '--yes', ...options], { cwd: root });
      expect(code).toBe(2);
      expect(err).toContain('cannot be used with option');
      expect(await verdicts(project, id)).toEqual([undefined]);
    },
  );
});

describe('clifford deny --same', () => {
  it('lists each call that waits alike, asks, and refuses all that were listed', async () => {
    const { root, project } = await projectWithSprint();
    const one = await call(project, 'a.txt');
    const two = await call(project, 'b.txt');
    const other = await call(project, 'c.txt', { tool: 'delete_file' });
    const command = ['deny', one.slice(0, -1), '--same', '--yes', '--reason', 'docs/ only'];
    // Nobody has seen yet which calls these are.
    expect((await clifford(command, { cwd: root })).err).toContain('nobody can be asked about them here');
    const shown = openClifford([...command], { cwd: root });
    await shown.see(/1 of 2: .*"path": "a.txt"[^]*2 of 2: .*"path": "b.txt"[^]*Deny these 2 calls\?/s);
    const late = await call(project, 'd.txt');
    shown.press('y\r');
    expect(await shown.exited).toBe(0);
    expect(shown.lines().join('\n')).toContain(`denied ${two}: fs write_file (docs/ only)`);
    expect(await verdicts(project, one, two, other, late)).toEqual([
      'denied',
      'denied',
      undefined,
      undefined,
    ]);
    expect(requestById(project.state, two)?.answer).toMatchObject({ response: 'docs/ only', via: 'cli' });
  });

  it('may come from an agent, as a no to one call may', async () => {
    const { root, project } = await projectWithSprint();
    const ids = [await call(project, 'a.txt'), await call(project, 'b.txt')];
    const asAgent = { cwd: root, env: { CLIFFORD_RUN_ID: 'run-1' } };
    expect((await clifford(['deny', ids[0] ?? '', '--same', '--yes'], asAgent)).code).toBe(0);
    expect(await verdicts(project, ...ids)).toEqual(['denied', 'denied']);
    expect(requestById(project.state, ids[1] ?? '')?.answer).toMatchObject({
      by: 'agent:run-1',
      response: 'no',
    });
  });
});
