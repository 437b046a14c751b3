import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { subjectOf } from '../../../src/events/envelope.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { answer, askAbout, commandOf } from '../../gateway/backtest/recorded-calls.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { printOffer } from '../../../src/cli/run/print-live.ts';
import { describeRequest } from '../../../src/views/requests/describe-request.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { cliFile, clifford } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { policy, policyJson } from '../mcp/mcp-command.ts';

const stream = 'demo';
const wrote = (path: string) => ({ server: 'fs', tool: 'write_file', args: { path } });

/** A project whose log has what humans decided: tests run, pushes do not, files in docs are written. */
async function history() {
  const { root, project } = await projectWithSprint();
  await writeMcpJson(root, { servers: { fs: { command: 'fs' } } });
  for (const tail of ['', ' -- a', ' -- b'])
    await answer(project, stream, 'approved', commandOf(`npm test${tail}`));
  for (let time = 0; time < 3; time += 1) await answer(project, stream, 'denied', commandOf('git push'));
  for (const name of ['a', 'b', 'c']) await answer(project, stream, 'approved', wrote(`docs/${name}.md`));
  await askAbout(project, stream, wrote('docs/d.md'));
  return { root, project };
}

/** A call that ran where nobody is asked, and would have been asked about. */
async function ranUnattended(project: Project, callId: string): Promise<void> {
  const subject = subjectOf(stream, 'a');
  const { args } = commandOf('npm test');
  const data = { callId, server: '@opencode', tool: 'execute', args, argsDigest: digestOf(args) };
  const rule = 'agents.ask nothing (otherwise agents.ask what-matters)';
  await project.record(stream, [
    { type: 'tool.requested', subject, data },
    { type: 'tool.allowed', subject, data: { callId, rule } },
  ]);
}

const rulesFile = async (root: string, rules: object) => {
  await writeFile(join(root, 'candidate.json'), JSON.stringify({ policy: rules }));
  return ['test', '--log', '--rules', 'candidate.json'];
};
const agentRules = (...rules: object[]) => ({ agents: { rules } });
const runsTests = { kind: 'execute', command: { startsWith: 'npm test' }, decision: 'allow' };

describe('clifford policy test --log', () => {
  it('says what the policy of mcp.json would have made of each call', async () => {
    const { root } = await history();
    const { code, out } = await policy(root, ['test', '--log']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      '10 calls         would run  would be asked about  would be denied',
      'a human allowed  0          6                     0',
      'a human denied   0          3                     0',
      'nobody decided   0          1                     0',
      '',
      'these rules answer 0 of 9 calls that humans decided, and contradict no human',
      '',
    ]);
  });

  it('judges by the rules of a file, and lists each contradiction of a human, with 1', async () => {
    const { root } = await history();
    const args = await rulesFile(
      root,
      agentRules(runsTests, { ...runsTests, command: { equals: 'git push' } }),
    );
    const { code, out } = await policy(root, args);
    expect(code).toBe(1);
    expect(out).toContain('\notherwise than a human decided:\n');
    expect(out.match(/ada denied @opencode\/execute \{"command":"git push"\}/g)).toHaveLength(3);
    expect(out).toContain(
      'these rules answer 6 of 9 calls that humans decided, and contradict humans in 3\n',
    );
    const { json } = await policyJson(root, args);
    expect(json).toMatchObject({
      judged: 10,
      answered: 6,
      byHumans: 9,
      unasked: 0,
      unjudged: [],
      changes: [],
      counts: { approved: { allow: 3, confirm: 3, deny: 0 }, denied: { allow: 3 } },
    });
    expect(json['contradictions']).toHaveLength(3);
    expect(json['contradictions']).toContainEqual(
      expect.objectContaining({
        server: '@opencode',
        tool: 'execute',
        args: { command: 'git push' },
        outcome: { is: 'denied', by: 'ada' },
        decision: 'allow',
        rule: 'agents.rules[1]',
      }),
    );
  });

  it('says what rules decided otherwise, what cannot be judged, and what nobody was asked about', async () => {
    const { root, project } = await history();
    const secret = await openTestProject(root, { DEPLOY_TOKEN: 'correct-horse-battery' });
    await answer(secret, stream, 'approved', commandOf('deploy correct-horse-battery'));
    const made = {
      server: 'fs',
      tool: 'read_file',
      args: {},
      argsDigest: 'RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o',
    };
    const own = { ...made, callId: 'own', server: '@opencode', tool: 'read' };
    await project.record(stream, [
      { type: 'tool.requested', subject: stream, data: { ...made, callId: 'read' } },
      { type: 'tool.allowed', subject: stream, data: { callId: 'read', rule: 'rules[0] fs/*' } },
      { type: 'tool.requested', subject: stream, data: own },
      {
        type: 'tool.returned',
        subject: stream,
        data: { callId: 'own', isError: false, durationMs: 1, bytes: 1 },
      },
    ]);
    const { code, out } = await policy(root, ['test', '--log']);
    expect(code).toBe(0);
    expect(out.split('\n').slice(5, -2)).toEqual([
      '',
      'otherwise than a rule decided:',
      '  fs/read_file, which a rule let run (rules[0] fs/*), would be asked about',
      '  (default): 1 call',
      '',
      '1 call cannot be judged: the log has a part of it, without secrets',
      '',
      '1 call by agents that asked nobody: no policy has a say in that',
      '',
    ]);
  });

  it('judges the calls of one sprint', async () => {
    const { root, project } = await history();
    await answer(project, 'adhoc', 'approved', commandOf('make'));
    expect((await policyJson(root, ['test', '--log', '--sprint', 'demo'])).json['judged']).toBe(10);
    expect((await policyJson(root, ['test', '--log', '--sprint', 'adhoc'])).json['judged']).toBe(1);
    expect(await policy(root, ['test', '--log', '--sprint', 'other'])).toMatchObject({ code: 2 });
  });

  it.each([[['test', '--log']], [['suggest']]])(
    '%j is refused where there is no project, and so no log',
    async (args) => {
      const root = await tempRoot();
      await rm(join(root, '.clifford'), { recursive: true });
      await writeMcpJson(root, {});
      expect(await policy(root, args)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/Cannot find a project/),
      });
    },
  );

  it('has nothing to say where nothing happened', async () => {
    const { root } = await projectWithSprint();
    expect(await policy(root, ['test', '--log'])).toMatchObject({
      code: 0,
      out: 'nothing to judge: the log has no calls\n',
    });
  });

  it.each<[string, string[], string]>([
    ['no such file', ['--rules', 'none.json'], 'there is no such file'],
    ['a folder', ['--rules', '.'], 'it is a folder'],
    ['no policy', ['--rules', 'servers.json'], 'it has no policy, as in { "policy": { "rules": [ … ] } }'],
    ['a mistake', ['--rules', 'mistake.json'], 'decision'],
    ['a mistake on stdin', ['--rules', '-'], 'stdin'],
    ['what suggests nothing', ['--rules', 'empty.json'], 'there is nothing in it'],
    ['a tool', ['--log', 'fs'], 'clifford policy test takes [server] [tool], and got fs'],
    ['arguments', ['--log', '--args', '{}'], "option '--args <json>'"],
    ['no server', [], '<server> and <tool> are missing'],
    ['no tool', ['fs'], '<tool> is missing'],
  ])('refuses %s', async (_what, args, why) => {
    const { root } = await projectWithSprint();
    const mistake = '{ "policy": { "rules": [{ "decision": "maybe" }] } }';
    await writeFile(join(root, 'empty.json'), '\n');
    await writeFile(join(root, 'servers.json'), '{ "rules": [] }');
    await writeFile(join(root, 'mistake.json'), mistake);
    const { code, err } = await policy(root, ['test', ...args], { input: mistake });
    expect(code).toBe(2);
    expect(err.split('\n')[0]).toContain(why);
    expect(err.split('\n')).toHaveLength(3);
  });
});

describe('clifford policy suggest', () => {
  it('prints a policy, with what each rule would have matched, that answers all and contradicts nobody', async () => {
    const { root } = await history();
    const { code, out, err } = await policy(root, ['suggest']);
    expect(code).toBe(0);
    expect(out).toBe(`{
  "policy": {
    "rules": [
      // humans allowed 3 calls of this shape;
      // it would have matched 1 other call: 1 nobody decided
      { "server": "fs", "tool": "write_file", "args": { "path": { "below": "docs" } }, "decision": "allow" }
    ],
    "agents": {
      "rules": [
        // humans allowed 3 calls of this shape;
        // it would have matched no other call
        { "agent": "opencode", "kind": "execute", "command": { "startsWith": "npm test" }, "decision": "allow" },
        // humans denied 3 calls of this shape;
        // it would have matched no other call
        { "agent": "opencode", "kind": "execute", "command": { "equals": "git push" }, "decision": "deny" }
      ]
    }
  }
}
`);
    expect(err).toBe(
      'note: nothing was written: put the rules you want into the policy of mcp.json, or add --write\n',
    );
    const tested = await policy(root, ['test', '--rules', '-'], { input: out });
    expect(tested).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        'these rules answer 9 of 9 calls that humans decided, and contradict no human\n',
      ),
    });
  });

  it('is for programs, too, and has what it is made from', async () => {
    const { root } = await history();
    const { json } = await policyJson(root, ['suggest', '--sprint', 'demo']);
    expect(json['rules']).toContainEqual({
      list: 'rules',
      rule: { server: 'fs', tool: 'write_file', args: { path: { below: 'docs' } }, decision: 'allow' },
      answers: ['a', 'b', 'c'].map((name) =>
        expect.objectContaining({
          args: { path: `docs/${name}.md` },
          outcome: { is: 'approved', by: 'ada' },
        }),
      ),
      others: [expect.objectContaining({ args: { path: 'docs/d.md' }, outcome: { is: 'undecided' } })],
    });
  });

  it('writes the rules with a yes, keeps what is in the file, and trusts what was trusted before', async () => {
    const { root } = await history();
    const file = join(root, 'mcp.json');
    const before = await readFile(file, 'utf8');
    const asked = await policy(root, ['suggest', '--write']);
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('there is no terminal') });
    expect(asked.out).toContain('+');
    expect(await readFile(file, 'utf8')).toBe(before);
    const byAgent = await policy(root, ['suggest', '--write', '--yes'], { env: { CLIFFORD_RUN_ID: 'r' } });
    expect(byAgent.code).not.toBe(0);
    expect(await readFile(file, 'utf8')).toBe(before);
    const env = { XDG_STATE_HOME: join(root, 'state'), CLIFFORD_TRUST_PROJECT: '' };
    await clifford(['mcp', 'trust', '--yes'], { cwd: root, env });
    const written = await policy(root, ['suggest', '--write', '--yes'], { env });
    expect(written).toMatchObject({
      code: 0,
      out: expect.stringMatching(/wrote 3 rules to .*mcp\.json, trusted\n/),
    });
    const tested = await policy(root, ['test', '--log']);
    expect(tested.out).toContain(
      'these rules answer 9 of 9 calls that humans decided, and contradict no human\n',
    );
    expect((await policy(root, ['suggest'])).out).toBe('');
  });

  it('writes rules with --write once a person at a terminal says yes', async () => {
    const { root } = await history();
    const file = join(root, 'mcp.json');
    const before = await readFile(file, 'utf8');
    const typed = async (key: string) => {
      const args = [cliFile, 'policy', 'suggest', '--write'];
      const env = { XDG_STATE_HOME: join(root, 'state') };
      const screen = openPty(process.execPath, args, { cwd: root, columns: 300, rows: 40, env });
      onTestFinished(() => screen.kill());
      await screen.see(/\+ .*"git push"/);
      await screen.see('Write mcp.json? [y/N]');
      expect(await readFile(file, 'utf8')).toBe(before);
      screen.press(key);
      return { code: await screen.exited, shown: screen.lines().join('\n') };
    };
    expect(await typed('\r')).toMatchObject({
      code: 1,
      shown: expect.stringContaining('nothing was written'),
    });
    expect(await typed('\u0003')).toMatchObject({ code: 130 });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await typed('y\r')).toMatchObject({ code: 0, shown: expect.stringContaining('wrote 3 rules to') });
    expect(await readFile(file, 'utf8')).toContain('"startsWith": "npm test"');
  });

  it('breaks rules between words where the terminal is narrow', async () => {
    const { root } = await history();
    const env = { XDG_STATE_HOME: join(root, 'state') };
    const args = [cliFile, 'policy', 'suggest', '--write'];
    const screen = openPty(process.execPath, args, { cwd: root, columns: 50, rows: 60, env });
    onTestFinished(() => screen.kill());
    await screen.see('Write mcp.json? [y/N]');
    const lines = screen.lines().map((line) => line.trimEnd());
    const until = lines.findIndex((line) => line.startsWith('Index') || line.includes('mcp.json'));
    const told = lines.slice(0, until).join(' ');
    expect(told).toContain(
      '{ "agent": "opencode", "kind": "execute", "command": { "equals": "git push" }, "decision": "deny" }: humans denied 3 calls of this shape',
    );
    // In the change that is shown, too.
    expect(lines.slice(until)).toEqual(
      expect.arrayContaining([
        '  +    "rules": [{ "server": "fs", "tool":',
        '       "write_file", "args": { "path": { "below":',
        '       "docs" } }, "decision": "allow" }],',
      ]),
    );
    screen.press('\r');
    await screen.exited;
  });

  it('says that there are no answers to go by where nobody is asked, and what would give some', async () => {
    const { root, project } = await projectWithSprint();
    await writeMcpJson(root, { policy: { agents: { ask: 'nothing' } } });
    const before = await readFile(join(root, 'mcp.json'), 'utf8');
    expect((await policy(root, ['suggest', '--write', '--yes'])).err).toBe(
      'note: no rule is suggested: the log has no calls of agents, so there are no answers to go by\n',
    );
    for (const callId of ['1', '2', '3']) await ranUnattended(project, callId);
    for (const args of [['suggest'], ['suggest', '--write'], ['suggest', '--write', '--yes']])
      expect(await policy(root, args)).toMatchObject({
        code: 0,
        out: '',
        err: [
          'note: no rule is suggested: no human has answered any of 3 calls, so there are no answers to go by\n',
          'note: 3 calls ran or were denied without a human, since "ask" is "nothing"\n',
          'note: a rule needs three or more calls of one kind that were all answered the same way. Have agents ask, with "ask": "what-matters" in the policy of mcp.json, and answer; or try rules of your own on this log: clifford policy test --log --rules <file>\n',
        ].join(''),
      });
    expect(await readFile(join(root, 'mcp.json'), 'utf8')).toBe(before);
    const { json } = await policyJson(root, ['suggest']);
    expect(json).toEqual({ rules: [], calls: 3, answered: 0, unattended: 3 });
    const { out } = await policy(root, ['test', '--log']);
    expect(out).toMatch(/^nobody was there to be asked about {2}3 +0 +0$/m);
    expect(out).toContain('\nno human decided about any of these calls\n');
  });

  it('suggests nothing where the policy gives the answers', async () => {
    const { root, project } = await projectWithSprint();
    await writeMcpJson(root, { policy: agentRules(runsTests) });
    for (let time = 0; time < 3; time += 1) await answer(project, stream, 'approved', commandOf('npm test'));
    const { out, err } = await policy(root, ['suggest']);
    expect(out).toBe('');
    expect(err).toBe(
      'note: no rule is suggested beyond what the policy already says: the log has 3 answers, and a rule needs three or more calls of one kind that were all answered the same way\n',
    );
  });
});

describe('the card of a call', () => {
  it('offers the rule that humans have given by three answers, and how to take it', async () => {
    const { root } = await history();
    const project = await openTestProject(root);
    await askAbout(project, stream, commandOf('npm test -- c'));
    const { out } = await clifford(['questions'], { cwd: root });
    expect(out).toContain(`
    Offer     humans allowed 3 calls like it, and denied none. The rule:
              { "agent": "opencode", "kind": "execute", "command": { "startsWith": "npm test" }, "decision": "allow" }
              it would have matched no other call in this log
              to have it in mcp.json: clifford policy suggest --write
    allow with: clifford approve `);
  });

  it('offers it in the lines of a run, too', async () => {
    const { root } = await history();
    const project = await openTestProject(root);
    await askAbout(project, stream, commandOf('npm test -- c'));
    const printed: string[] = [];
    const cli = {
      env: {},
      note: (text: string) => void printed.push(text),
      printLines: (lines: readonly string[]) => void printed.push(...lines),
    };
    const waiting = openRequests(project.state).map(describeRequest).at(-1);
    if (!waiting) throw new Error('nothing waits');
    await printOffer(cli, project, waiting);
    expect(printed).toEqual([
      expect.stringMatching(/^q-.*: humans allowed 3 calls like it, .* policy suggest --write$/),
    ]);
    await printOffer(cli, project, { id: 'q-other', approval: undefined });
    expect(printed).toHaveLength(1);
  });

  it('offers nothing after two answers', async () => {
    const { root, project } = await projectWithSprint();
    for (let time = 0; time < 2; time += 1) await answer(project, stream, 'approved', commandOf('make'));
    await askAbout(project, stream, commandOf('make'));
    expect((await clifford(['questions'], { cwd: root })).out).not.toContain('like it');
  });
});
