import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Approval } from '../../src/events/approval.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { askApproval, claimApproval, deny } from '../../src/workflow/requests/approval.ts';
import { dismissRequest } from '../../src/workflow/requests/answer.ts';
import { recordDetached } from '../../src/workflow/requests/deliver.ts';
import { findRequest, requestById } from '../../src/workflow/requests/find-request.ts';
import { digestOf } from '../../src/lib/digest.ts';
import { approval } from '../helpers/approval.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

const PRLIMIT = '/usr/bin/prlimit';

const agent = { id: 'agent-1', client: 'opencode' };

async function call(project: Project, over: Partial<Approval> = {}): Promise<string> {
  const what = { stream: 'demo', taskId: 'a', agent, approval: { ...approval, ...over } };
  return (await askApproval(project, what)).id;
}

describe('clifford approve', () => {
  it('takes another name than its id for what it shows now, and only where it can ask', async () => {
    const { root, project } = await projectWithSprint();
    await dismissRequest(project, await call(project), { by: 'agent:run-1', via: 'cli' });
    const id = await call(project, { args: { path: 'etc/passwd' }, callDigest: 'another' });
    for (const args of [
      ['approve', 'last'],
      ['approve', id.slice(0, -1)],
      ['answer', 'last', 'yes'],
    ])
      expect(await clifford(args, { cwd: root })).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          `Cannot ${args[0]} ${args[1]}: it may be another call by now than the one you saw`,
        ),
      });
    const say = async (key: string) => {
      const screen = openClifford(['approve', 'last'], { cwd: root });
      await screen.see(/etc\/passwd[^]*Allow this call\? \[y\/N\]/);
      screen.press(key);
      return screen.exited;
    };
    expect(await say('n\r')).toBe(1);
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
    expect(await say('y\r')).toBe(0);
    expect(requestById(await project.refresh(), id)?.answer).toMatchObject({ verdict: 'approved' });
  });

  it('shows what a call would make of its files as they are now, as questions does, and takes a yes to that alone', async () => {
    const { root, project } = await projectWithSprint();
    const file = join(root, 'a.txt');
    await writeFile(file, 'one\nmine\n');
    const content = [{ type: 'diff', path: 'a.txt', oldText: 'one\n', newText: 'two\n' }];
    const args = { file_path: 'a.txt', content: 'two\n', changes: content };
    const own = { server: '@own', tool: 'edit', isOwn: true, args } as const;
    const id = await call(project, { ...own, callDigest: digestOf(args) });
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out).toMatch(/^ *1? *- one\n *2? *- mine\n *1? *\+ two$/m);
    const screen = openClifford(['approve', 'last'], { cwd: root });
    await screen.see(/- mine[^]*Allow this call\? \[y\/N\]/);
    await writeFile(file, 'one\nmine\nmore\n');
    screen.press('y\r');
    await screen.see(/a\.txt has\s+changed since you saw the call/);
    expect(await screen.exited).not.toBe(0);
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
    const again = openClifford(['approve', 'last', '--same'], { cwd: root });
    await again.see(/- more[^]*Allow this call\? \[y\/N\]/);
    again.press('y\r');
    expect(await again.exited).toBe(0);
  });

  it('is not needed to look at a call that a no stops: answer takes that for the only open one', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    expect(await clifford(['answer', 'last', 'no'], { cwd: root })).toMatchObject({ code: 0, err: '' });
    expect(requestById(await project.refresh(), id)?.answer).toMatchObject({ verdict: 'denied' });
  });

  it('allows the only open call, once, in the name of the user', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    expect(await clifford(['approve', id], { cwd: root })).toEqual({
      code: 0,
      signal: null,
      out: `allowed ${id}: fs write_file, this call\nit runs\n`,
      err: '',
    });
    const request = requestById(await project.refresh(), id);
    expect(request?.answer).toMatchObject({ verdict: 'approved', scope: 'once', by: 'ada', via: 'cli' });
    expect(request && (await claimApproval(project, request, 'call-1'))).toBe(true);
  });

  it.each([
    ['task', 'in this task'],
    ['sprint', 'in this sprint'],
    ['always', 'always'],
  ])('with --scope %s allows the tool %s', async (scope, far) => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const { out } = await clifford(['approve', id, '--scope', scope, '--reason', 'fine'], { cwd: root });
    expect(out).toBe(`allowed ${id}: fs write_file, ${far}\nit runs\n`);
    expect((await project.refresh()).policyRules).toMatchObject([
      { tool: 'write_file', scope: { kind: scope } },
    ]);
    expect(requestById(project.state, id)?.answer?.response).toBe('fine');
  });

  it('says of a call that nobody waits for when a yes to it counts', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    await recordDetached(project, findRequest(project.state, id), { agentId: agent.id, why: 'cancelled' });
    expect((await clifford(['questions'], { cwd: root })).out).toContain(
      'ago; no agent waits now, a yes counts when the agent makes the call again\n',
    );
    const { out, err } = await clifford(['approve', id], { cwd: root });
    expect(out).toContain('\nno agent waits for it now: it runs when it is made again\n');
    expect(err).toBe('next: clifford run demo\n');
  });

  it("says that a yes for longer to an agent's own tool is for exactly this call", async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, { server: '@opencode', tool: 'execute', isOwn: true });
    const { out } = await clifford(['approve', id, '--scope', 'sprint'], { cwd: root });
    expect(out).toBe(`allowed ${id}: execute by opencode, exactly this call, in this sprint\nit runs\n`);
  });

  // A file may not grow beyond the middle of the second event: as on a disk that is full there.
  it.runIf(existsSync(PRLIMIT))('on a full disk says nothing at all, and can be repeated', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const { size } = await stat(join(root, '.clifford/events.jsonl'));
    const command = [cliFile, 'approve', id, '--scope', 'always'];
    const env = { ...process.env, CI: '1', USER: 'ada', NODE_DISABLE_COMPILE_CACHE: '1' };
    const full = execa(PRLIMIT, [`--fsize=${size + 650}`, process.execPath, ...command], { cwd: root, env });
    await expect(full).rejects.toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/a write or sync failed: EFBIG: file too large/),
    });
    expect((await stat(join(root, '.clifford/events.jsonl'))).size).toBe(size);
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');

    expect(await clifford(command.slice(1), { cwd: root })).toMatchObject({ code: 0 });
    expect((await project.refresh()).policyRules).toMatchObject([{ scope: { kind: 'always' } }]);
  });

  it('refuses what is no scope, no call, or a scope that the call has not', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const { id } = await askApproval(project, { stream: 'adhoc', agent, approval });
    const question = await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Why?' });
    const run = async (...args: string[]) => {
      const { code, out, err } = await clifford(['approve', ...args], { cwd: root });
      return { code, out, err: err.split('\n') };
    };
    expect(await run(id, '--scope', 'forever')).toMatchObject({ code: 2, out: '' });
    expect(await run(id, '--scope', 'sprint')).toMatchObject({
      code: 2,
      err: [
        `clifford: Cannot approve ${id} for its sprint: the call is part of no sprint`,
        '  Choose one of: once, always',
        '',
      ],
    });
    expect(await run(question.id)).toMatchObject({
      code: 2,
      err: [
        `clifford: Cannot approve ${question.id}: it is a question, not a tool call`,
        `  Answer it with: clifford answer ${question.id} "…"`,
        '',
      ],
    });
  });

  it.each(['approve', 'deny'])('is told who was first when it comes second, with 1: %s', async (command) => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    await deny(project, id, { by: 'grace', via: 'tui', reason: 'not there' });
    const { code, err } = await clifford([command, id], { cwd: root });
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(`^clifford: Cannot ${command} ${id}: grace denied it on the screen at \\S+: not there\n`),
    );
  });

  it.each([['approve'], ['answer', 'yes']])(
    'is not for the shell of an agent: %s',
    async (command, ...words) => {
      const { root, project } = await projectWithSprint();
      const id = await call(project);
      const { code, err } = await clifford([command, id, ...words], {
        cwd: root,
        env: { CLIFFORD_RUN_ID: 'run-1' },
      });
      expect(code).toBe(1);
      expect(err).toContain(
        `Cannot ${command} ${id}: this is the shell of an agent (run run-1), and a human decides`,
      );
      expect(requestById(await project.refresh(), id)?.phase).toBe('open');
    },
  );
});

describe('clifford attach', () => {
  it('in the shell of an agent shows a call that waits, and has no key that allows it', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const env = { CLIFFORD_RUN_ID: 'run-1', CLIFFORD_PROJECT_ROOT: root, CI: '' };
    const { see, press, kill, exited } = openPty(process.execPath, [cliFile, 'attach', 'demo'], {
      cwd: root,
      env,
    });
    onTestFinished(kill);
    await see('A human elsewhere allows it');
    press('Y');
    await see('A human allows calls: this is the shell of an agent');
    expect(requestById(await project.refresh(), id)?.phase).toBe('open');
    press('\u0003');
    expect(await exited).toBe(0);
  });
});

describe('clifford deny', () => {
  it('refuses the call, with a reason for the agent', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project);
    const { code, out } = await clifford(['deny', 'last', '--reason', 'Write below docs/'], { cwd: root });
    expect({ code, out }).toEqual({ code: 0, out: `denied ${id}: fs write_file (Write below docs/)\n` });
    expect(requestById(await project.refresh(), id)?.answer).toMatchObject({
      verdict: 'denied',
      response: 'Write below docs/',
      by: 'ada',
    });
  });
});

describe('a call that waits', () => {
  const wild = {
    args: { path: '\u001b[2Kdocs\u202Etxt', token: `sk-${'x1'.repeat(20)}` },
    annotations: { destructiveHint: true },
    change: '-  "description": "Reads"\n+  "description": "Sends\u200B"',
    trust: 'full',
  } as const;
  const lines = (id: string) => [
    'Its definition has changed: see below',
    'Tool      fs/write_file (claims believed)',
    'Risk      tool has changed · rule: none matches, so the default asks',
    'Server    says: may destroy',
    '1 value hidden: 43 characters',
    'Arguments',
    '  {',
    '    "path": "\\u001b[2Kdocs\\u202etxt",',
    '    "token": "[hidden: 43 characters]"',
    '  }',
    'Definition',
    '  -  "description": "Reads"',
    '  +  "description": "Sends\\u200b"',
    'see it all with: clifford questions --reveal',
    `allow with: clifford approve ${id}`,
    'or, for more calls of the tool, with: --scope task|sprint|always',
    `deny with: clifford deny ${id} --reason "…"`,
    `ask first with: clifford explain ${id} "…"`,
  ];
  const indented = (id: string) => lines(id).map((line) => `    ${line}`);

  it('is shown in full, secrets masked and control characters visible, with both commands', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, wild);
    const { out } = await clifford(['questions'], { cwd: root });
    const [head = '', ...rest] = out.trimEnd().split('\n');
    expect(head).toMatch(/^q-\S+ demo\/a: opencode asked for a tool call \S+ m?s ago and waits$/);
    expect(rest).toEqual(indented(id));
    const status = (await clifford(['status'], { cwd: root })).out;
    expect(status).toContain(
      `  ? open tool call about a\n    fs/write_file \\u001b[2Kdocs\\u202etxt\n    ${id}\n`,
    );
    expect(status).not.toContain('allow with');
  });

  it('is allowed without a terminal as the list of questions says', async () => {
    const { root, project } = await projectWithSprint();
    await call(project);
    const { out } = await clifford(['questions'], { cwd: root });
    const [, ...args] = /allow with: (.*)\n/.exec(out)?.[1]?.split(' ') ?? [];
    expect(await clifford(args, { cwd: root })).toMatchObject({ code: 0, err: '' });
  });

  it('masks what is too short for the log to know it as a secret', async () => {
    const { root, project } = await projectWithSprint();
    await call(project, { ...wild, args: { db: { password: 'abc', port: 1 }, path: 'a' } });
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out).toContain('"password": [masked, 3 characters],\n');
    expect(out).toContain('"port": 1\n');
    expect(out).toContain('"path": "a"\n');
  });

  it('is in the history with what became of it', async () => {
    const { root, project } = await projectWithSprint();
    const id = await call(project, wild);
    await clifford(['approve', id, '--scope', 'sprint'], { cwd: root });
    const { out } = await clifford(['replay'], { cwd: root });
    expect(out).toContain('Allow fs/write_file \\u001b[2Kdocs\\u202etxt? (rule:');
    expect(out).toContain('the default asks, its definition changed)');
    expect(out).toContain('ada allowed it (sprint) in the shell');
    expect(out).toMatch(/policy\.ruleadded.* fs write_file in sprint demo by ada \(r-\S+\)/);
    expect(out).toMatch(/tool\.pinned.* fs: 1 definition, accepted by ada/);
    const { out: listed } = await clifford(['questions', '--all'], { cwd: root });
    expect(listed).toMatch(/allowed \(sprint\) by ada in the shell, which no agent has received yet: yes\n/);
  });
});
