import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/events/approval.ts';
import { digestOf } from '../../src/lib/digest.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { approval } from '../helpers/approval.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { writeMcpJson } from '../helpers/mcp-json.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

const agent = { id: 'run-1', client: 'opencode' };
const own = { server: '@opencode', tool: 'execute', isOwn: true, args: { command: 'rm -rf build' } } as const;

async function call(project: Project, over: Partial<Approval> = {}, stream = 'demo'): Promise<string> {
  const { server, tool, args } = { ...approval, ...over };
  const callDigest = digestOf([server, tool, args]);
  const what = {
    stream,
    taskId: stream === 'demo' ? 'a' : undefined,
    agent,
    approval: { ...approval, callDigest, ...over },
  };
  return (await askApproval(project, what)).id;
}

async function answerTo(project: Project, id: string) {
  return requestById(await project.refresh(), id)?.answer;
}

describe('clifford approve with a change', () => {
  it('allows a server’s call with other arguments, and says that it runs so', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const args = { path: 'docs/a.md', content: 'hello' };
    const { code, out, err } = await clifford(['approve', id, '--args', JSON.stringify(args)], { cwd: root });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      `allowed ${id} as changed: fs write_file ${JSON.stringify(args)}\n` +
        'it runs as changed, and the agent is told what was changed\n',
    );
    expect(await answerTo(project, id)).toMatchObject({
      verdict: 'edited',
      edited: { args, callDigest: digestOf(['fs', 'write_file', args]) },
      by: 'ada',
      via: 'cli',
    });
    const { out: history } = await clifford(['replay'], { cwd: root });
    expect(history).toContain('ada allowed it as changed in the shell: {"path":"docs/a.md"');
    const { out: all } = await clifford(['questions', '--all'], { cwd: root });
    expect(all).toContain('allowed as changed by ada in the shell');
  });

  it('refuses an agent its own call for another command, and says so before and after', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, own);
    const told = 'the agent is denied this call and told to make the changed one, which then runs once';
    expect((await clifford(['questions'], { cwd: root })).out).toContain(
      'or changed, with: --edit (the agent is told to make that call)\n',
    );
    const command = ['approve', id, '--command', '-'];
    const { code, out } = await clifford(command, { cwd: root, input: 'rm -r build\n' });
    expect(code).toBe(0);
    expect(out).toContain(told);
    expect((await answerTo(project, id))?.edited?.args).toEqual({ command: 'rm -r build' });
    expect(await clifford(['deny', id], { cwd: root })).toMatchObject({
      err: expect.stringContaining('ada allowed it as changed in the shell'),
    });
  });

  it('says before and after that an agent behind an editor hears only a no', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, own, 'adhoc');
    const listed = (await clifford(['questions'], { cwd: root })).out;
    expect(listed).toContain('or changed, with: --edit (its agent hears only a no: you tell it)\n');
    expect(listed).toMatch(
      /clifford explain q-.*\n +\(its agent hears only a no: you ask it in the editor\)\n/,
    );
    const told = 'the agent in the editor hears only a no: you tell it to make the changed call';
    const change = ['approve', id.slice(0, -1), '--command', 'rm -r build'];
    const { see, press, exited } = openClifford([...change], { cwd: root });
    await see('as changed by you: the agent in the editor hears only a no');
    await see('Allow this call?');
    press('n\r');
    expect(await exited).toBe(1);
    const { out } = await clifford(['approve', id, '--command', 'rm -r build'], { cwd: root });
    expect(out).toContain(`${told}, which then runs once without asking\n`);
  });

  it('shows nothing of a changed call as it could act on a terminal', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, own);
    const wild = 'echo \u001b]0;x\u0007 \u202Etxt.exe';
    const { out } = await clifford(['approve', id, '--command', wild], { cwd: root });
    const { out: all } = await clifford(['questions', '--all'], { cwd: root });
    const { out: history } = await clifford(['replay'], { cwd: root });
    for (const text of [out, all, history]) {
      // oxlint-disable-next-line no-control-regex -- what must not be there
      expect(text).not.toMatch(/[\u001b\u0007\u202E]/);
      expect(text).toContain(String.raw`\u202etxt.exe`);
    }
    expect((await answerTo(project, id))?.edited?.args).toEqual({ command: wild });
  });

  it('leaves it open when the policy denies what it has become', async () => {
    const { root, project } = await projectWithSprint();
    const rules = [{ command: { startsWith: 'git push' }, decision: 'deny' }];
    await writeMcpJson(root, { policy: { agents: { rules } } });
    const id = await call(project, own);
    const { code, err } = await clifford(['approve', id, '--command', '"git" push'], { cwd: root });
    expect({ code, err: err.split('\n')[0] }).toEqual({
      code: 2,
      err: `clifford: Cannot edit ${id}: the policy denies what it is now (agents.rules[0])`,
    });
    expect(await answerTo(project, id)).toBeUndefined();
  });

  it.each([
    [['--command', ' '], 'the command is empty'],
    [['--args', '[]'], 'its arguments have to be one JSON object'],
    [['--command', 'rm -rf build'], 'it is the same call of execute by opencode'],
    [['--command', `x sk-${'x1'.repeat(20)}`], 'there is a secret in it now'],
    [['--edit'], 'an editor needs a terminal'],
    [
      ['--command', 'ls', '--scope', 'always'],
      "option '--command <line>' cannot be used with option '--scope",
    ],
    [['--command', 'ls', '--args', '{}'], "option '--command <line>' cannot be used with option '--args"],
  ])('refuses %j', async (options, words) => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, own);
    const { code, err } = await clifford(['approve', id, ...options], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(await answerTo(project, id)).toBeUndefined();
  });

  it('is for humans, and for the call that was seen', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, own);
    const asAgent = { cwd: root, env: { CLIFFORD_RUN_ID: 'run-1' } };
    const { err } = await clifford(['approve', id, '--command', 'ls'], asAgent);
    expect(err).toContain('a human decides');
    const { err: other } = await clifford(['approve', 'last', '--command', 'ls'], { cwd: root });
    expect(other).toContain('it may be another call by now');
    expect(await answerTo(project, id)).toBeUndefined();
  });

  it.each([
    ['with an editor', (id: string) => [id, '--edit']],
    ['with another command', (id: string) => [id.slice(0, -1), '--command', 'rm -r build']],
    ['as it is', (id: string) => [id.slice(0, -1)]],
  ])('refuses one that is decided already before it shows it, or asks: %s', async (_how, named) => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, own);
    await clifford(['deny', id], { cwd: root });
    const editor = 'sh -c \'echo edited && echo ls > "$1"\' sh';
    const { see, exited, bytes } = openClifford(['approve', ...named(id)], {
      cwd: root,
      env: { EDITOR: editor, VISUAL: '' },
    });
    await see(`Cannot approve ${id}: ada denied it`);
    expect(await exited).toBe(1);
    expect(bytes()).not.toMatch(/edited|Command|Allow this call/);
  });

  it('opens an editor, shows what came out of it and what becomes of it, and asks', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, own);
    const editor = join(root, 'editor.sh');
    const open = (text: string) => {
      const env = { ...process.env, USER: 'ada', EDITOR: `${editor} '${text}'`, VISUAL: '' };
      return openPty(process.execPath, [cliFile, 'approve', id, '--edit'], { cwd: root, env });
    };
    await writeFile(
      editor,
      '#!/bin/sh\ncase "$(cat "$2")" in "rm -rf build") printf %s "$1" > "$2" ;; esac\n',
    );
    await chmod(editor, 0o700);

    const same = open('rm -rf build');
    await same.see('not changed:');
    expect(await same.exited).toBe(1);

    const no = open('rm -r build');
    await no.see(/Command +rm -r build\n[^]*as changed by you: the agent is denied[^]*Allow this call\?/);
    no.press('n\r');
    expect(await no.exited).toBe(1);
    expect(await answerTo(project, id)).toBeUndefined();

    const yes = open('rm -r build');
    await yes.see('Allow this call?');
    yes.press('y\r');
    expect(await yes.exited).toBe(0);
    expect((await answerTo(project, id))?.edited?.args).toEqual({ command: 'rm -r build' });
  });
});
