import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { cliFile, clifford, startClifford } from '../../helpers/clifford-process.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { fakePrograms } from '../../helpers/fake-programs.ts';
import { folderForAll } from '../../helpers/folder-for-all.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { byOrdinary, giveToOrdinary, isRoot } from '../../helpers/ordinary-user.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { untilFile } from '../../helpers/until-file.ts';
import { ADHOC_STREAM } from '../../../src/events/adhoc-stream.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { allGone, terminate } from '../../../src/lib/processes/terminate.ts';
import { version } from '../../../src/version.ts';

const gemini = `test "$1" = --version && echo "\${FAKE_VERSION:-0.61.0}" && exit; exec "${process.execPath}" "${fixtureProgram('processes/fake-gemini.ts')}" "$@"`;

const reportSchema = z.strictObject({
  ok: z.boolean(),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      status: z.enum(['good', 'warning', 'broken', 'absent']),
      text: z.string(),
      fix: z.string().optional(),
      facts: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});
type Report = z.infer<typeof reportSchema>;

/** What `clifford doctor --json` says of a project, to somebody who has these programs and no others. */
async function examined(
  root: string,
  programs: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Report & { code: number | null; of: (name: string) => Report['checks'][number] }> {
  const home = await tempRoot();
  const PATH = await fakePrograms(programs);
  const { code, out, err } = await clifford(['doctor', '--json'], {
    cwd: root,
    env: { HOME: home, PATH, ...env },
  });
  expect(err).toBe('');
  const report = reportSchema.parse(JSON.parse(out));
  const of = (name: string) => {
    const found = report.checks.find((check) => check.name === name);
    if (!found) throw new Error(`no check ${name} in ${out}`);
    return found;
  };
  return { ...report, code, of };
}

describeOnEachEngine('clifford doctor', () => {
  it('says of a sound project that all is well, and leaves it as it is', async () => {
    const { root, project } = await projectWithSprint();
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    for (const [key, value] of [
      ['user.name', 'Ada'],
      ['user.email', 'ada@example.org'],
    ] as const)
      execFileSync('git', ['config', key, value], { cwd: root });
    await writeConfig(join(root, 'clifford.json'), { agent: 'gemini' });
    const [PATH, HOME] = [await fakePrograms({ gemini }), await tempRoot()];
    const before = await eventsOf(project);
    const { code, out, err } = await clifford(['doctor'], {
      cwd: root,
      env: { PATH, HOME, LANG: 'C.UTF-8' },
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.slice(0, -1).filter((line) => !/^[✔-] /.test(line))).toEqual([]);
    expect(out).toMatch(/\n✔ tasks go to Gemini CLI, as clifford\.json:2 says\n/);
    expect(out).toMatch(
      /\n✔ Gemini CLI 0\.61\.0, .*; reached Clifford after [\d.]+ m?s; a call may wait 24 h 0 min; asks before it acts, over ACP \(gemini 0\.61\.0 was tested\); not proven yet: clifford doctor --approvals\n/,
    );
    expect(out).toMatch(/\n✔ Clifford's MCP server offers 7 tools after /);
    expect(out).toMatch(/\neverything works\n$/);
    expect(await eventsOf(project)).toEqual(before);
    expect(await readdir(join(root, '.clifford/runs'))).toEqual([]);
    expect(
      (await readdir(join(root, '.clifford/locks'))).filter((name) => name.startsWith('doctor')),
    ).toEqual([]);
  });

  it('says the same to programs', async () => {
    const { root } = await projectWithSprint();
    const { code, ok, of } = await examined(root, { gemini });
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(of('clifford').facts).toMatchObject({ version });
    expect(of('mcp-server').facts).toMatchObject({ tools: expect.arrayContaining(['request_help']) });
    expect(of('log')).toMatchObject({
      status: 'good',
      facts: { isWhole: true, events: 1 },
    });
    expect(of('agent:codex')).toEqual({
      name: 'agent:codex',
      status: 'absent',
      text: 'Codex is not installed',
    });
    expect(of('agent:gemini')).toMatchObject({
      status: 'good',
      facts: { version: '0.61.0', isSupported: true, callLimitMs: 86_400_000, tookMs: expect.any(Number) },
    });
  });

  it('works where there is no project yet, and makes none', async () => {
    const root = await tempRoot();
    await rm(join(root, '.clifford'), { recursive: true });
    const temporary = await tempRoot();
    vi.stubEnv('TMPDIR', temporary);
    const { code, of } = await examined(root, { gemini });
    vi.unstubAllEnvs();
    expect(code).toBe(0);
    expect(of('project')).toMatchObject({ status: 'warning', fix: 'Run clifford init' });
    expect(of('agent:gemini').status).toBe('good');
    expect(await readdir(root)).toEqual([]);
    expect((await readdir(temporary)).filter((name) => name.startsWith('clifford-doctor'))).toEqual([]);
  });

  it('ends with 1 when something is broken, and says what to do', async () => {
    const root = await tempRoot();
    const PATH = await fakePrograms({});
    await writeConfig(join(root, 'clifford.json'), { agent: 'codex' });
    const { code, out } = await clifford(['doctor'], { cwd: root, env: { PATH, HOME: root, LANG: 'C' } });
    expect(code).toBe(1);
    expect(out).toMatch(
      /\nx {2}tasks go to Codex, as clifford\.json:2 says, and codex is not installed\n {3}fix: Install it \(npm install -g @openai\/codex\)/,
    );
    expect(out).toMatch(/\n1 broken, \d to look at\n$/);
  });
});

// What it finds of the log is damage to a file; the rest of it has nothing to do with the log.
describe('clifford doctor finds', () => {
  it('unknown keys and missing task files of a manifest', async () => {
    const root = await tempRoot();
    const dir = await writeSprint(root, {
      tasks: ['a'],
      manifest: {
        owner: 'ada',
        tasks: [
          { id: 'a', file: 'a.md' },
          { id: 'b', file: 'b.md', dependson: ['a'] },
        ],
      },
    });
    await rm(join(dir, 'b.md'));
    const { of } = await examined(root);
    const file = relative(root, join(dir, 'manifest.json'));
    const text =
      `${file}: unknown keys owner, tasks[1].dependson (did you mean "dependsOn"?); ` +
      `${file}: task b: ${relative(root, join(dir, 'b.md'))} is missing`;
    const fix = 'Write the files that are missing, or correct the manifest; keys of other programs may stay';
    expect(of('sprints')).toMatchObject({ status: 'warning', text, fix });
    const { err, out } = await clifford(['status'], { cwd: root });
    expect(err).toBe(`note: ${text.replace('; s', '\nnote: s')}\n`);
    expect(out).toContain('demo');
  });

  it('mistakes in every file, and ends with 1', async () => {
    const root = await tempRoot();
    await writeConfig(join(root, 'clifford.json'), {
      maxAttempts: 'three',
      agentCmd: 'no-such-agent {prompt}',
    });
    await writeConfig(join(root, 'sprints/x/manifest.json'), '{');
    await mkdir(join(root, '.clifford/prompt.md'));
    await writeFile(join(root, '.clifford/events.jsonl'), '{"not": "an event"}\n');
    const { code, ok, checks, of } = await examined(root);
    expect({ code, ok }).toEqual({ code: 1, ok: false });
    expect(of('config').text).toMatch(/clifford\.json:2:18: maxAttempts must be/);
    expect(of('default-agent').text).toBe('Cannot start agent command no-such-agent: it is not on the PATH');
    expect(of('sprints').text).toMatch(/^Cannot read manifest /);
    expect(of('prompt').text).toMatch(/prompt\.md: it is a folder$/);
    expect(of('log').text).toMatch(/events\.jsonl/);
    const broken = checks.filter(({ status }) => status === 'broken');
    expect(broken.map(({ name }) => name).sort()).toEqual([
      'config',
      'default-agent',
      'log',
      'prompt',
      'sprints',
    ]);
    expect(broken.filter(({ fix }) => !fix)).toEqual([]);
  });

  it('all that is wrong with a channel in one check, however many of its keys say nothing to what it goes through', async () => {
    const root = await tempRoot();
    const board = {
      via: 'slack',
      url: 'https://board.example.com',
      secret: '${BOARD_SECRET}',
      format: 'slack',
    };
    const bell = { via: 'ntfy', topic: 'alerts' };
    await writeConfig(join(root, 'clifford.json'), { notify: { channels: { board, bell } } });
    const { checks } = await examined(root);
    const about = checks.filter(({ text }) => text.includes('board'));
    expect(about.map(({ name, status }) => [name, status])).toEqual([['config', 'broken']]);
    expect(about[0]?.text).toMatch(
      /format says nothing to slack; .*secret says nothing to slack; .*via also needs token and chat; channel board calls nobody$/,
    );
    expect(checks.filter(({ text }) => text.includes('bell')).map(({ name }) => name)).toEqual([
      'notify:bell',
    ]);
  });

  it('that agents get no servers of a file with a mistake, or one that nobody trusts', async () => {
    const { root } = await projectWithSprint();
    const trusting = (CLIFFORD_TRUST_PROJECT: string) =>
      examined(root, {}, { CLIFFORD_TRUST_PROJECT, XDG_STATE_HOME: join(root, 'state') });
    await writeMcpJson(root, {
      servers: { it: { command: 'false' }, two: { command: 'x' }, off: { command: 'x', disabled: true } },
    });
    expect((await trusting('')).of('mcp.json')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('clifford mcp trust'),
    });
    expect((await trusting('1')).of('mcp.json')).toMatchObject({
      status: 'good',
      text: expect.stringContaining('mcp.json: 2 servers,'),
    });
    await writeMcpJson(root, '{ "servers": ');
    expect((await trusting('1')).of('mcp.json')).toMatchObject({
      status: 'warning',
      text: 'mcp.json has 1 mistake',
      fix: expect.stringContaining('clifford mcp doctor'),
    });
  });

  it('an agent that nobody has heard of, a key it does not know, and a folder it cannot write', async () => {
    const root = await tempRoot();
    await writeConfig(join(root, 'clifford.json'), { agent: 'hal', maxAttemps: 3 });
    // Not by its mode: root may write everywhere.
    await writeFile(join(root, '.clifford/locks'), '');
    const { code, of } = await examined(root);
    expect(code).toBe(1);
    expect(of('default-agent')).toMatchObject({
      status: 'broken',
      text: expect.stringMatching(/^Cannot find agent hal, named by clifford\.json:2: the known ones are /),
    });
    expect(of('config')).toMatchObject({
      status: 'warning',
      text: expect.stringMatching(/Unknown key "maxAttemps"/),
    });
    expect(of('disk')).toMatchObject({
      status: 'broken',
      text: expect.stringMatching(/^Cannot use .*\.clifford\/locks: it is not a folder$/),
    });
  });

  it('a text for agents that does not name their task, and an agent that loses its way to Clifford', async () => {
    const root = await tempRoot();
    await writeFile(join(root, '.clifford/prompt.md'), 'Do what {taskFile} says.\n');
    const mine = { command: 'x {mcpConfig}', resume: 'x {session}', output: 'codex' };
    await writeConfig(join(root, 'clifford.json'), { agents: { mine } });
    const { of } = await examined(root);
    expect(of('prompt')).toMatchObject({
      status: 'warning',
      text: 'agents start with .clifford/prompt.md, which does not name their task: it has no {task}',
      fix: expect.stringContaining('{task}'),
    });
    expect(of('config')).toMatchObject({
      status: 'broken',
      text: expect.stringContaining('agents.mine.resume must have {mcpConfig}'),
    });
    await writeFile(join(root, '.clifford/prompt.md'), 'Do {"task": "{task}"}.\n');
    expect((await examined(root)).of('prompt').status).toBe('good');
  });

  it('a log and sprints that cannot be read', async () => {
    const root = await tempRoot();
    // Links to themselves: root may read whatever has a mode.
    for (const path of ['.clifford/events.jsonl', 'sprints'])
      await symlink(join(root, path), join(root, path));
    const { code, of } = await examined(root);
    expect(code).toBe(1);
    expect(of('log')).toMatchObject({
      status: 'broken',
      text: expect.stringMatching(/events\.jsonl cannot be read: the system says ELOOP$/),
    });
    expect(of('sprints')).toMatchObject({
      status: 'broken',
      text: expect.stringMatching(/^Cannot read the folder .*sprints: the system says ELOOP$/),
    });
  });

  it('a write that was cut short, which is no damage', async () => {
    const { root } = await projectWithSprint();
    await appendFile(join(root, '.clifford/events.jsonl'), '{"specversion"');
    const { code, of } = await examined(root);
    expect(code).toBe(0);
    expect(of('log')).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('14 bytes at its end'),
      facts: { tornBytes: 14 },
    });
  });

  it('that git is missing, or has no name for whoever commits', async () => {
    const root = await tempRoot();
    const nobody = {
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_CEILING_DIRECTORIES: root,
    };
    expect((await examined(root, {}, { PATH: root })).of('git')).toMatchObject({
      status: 'warning',
      text: 'git is not on the PATH',
    });
    expect((await examined(root, {}, nobody)).of('git')).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('no repository here'),
    });
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    expect((await examined(root, {}, nobody)).of('git')).toMatchObject({
      status: 'warning',
      fix: 'git config user.name "…"; git config user.email "…"',
    });
  });

  it('an agent where the configuration says it is, newer than those that were tried', async () => {
    const root = await tempRoot();
    const path = join(await fakePrograms({ mine: gemini }), 'mine');
    await writeConfig(join(root, 'clifford.json'), { agents: { gemini: { path } } });
    const { code, of } = await examined(root, {}, { FAKE_VERSION: '7.0.0' });
    expect(code).toBe(0);
    expect(of('agent:gemini')).toMatchObject({
      status: 'warning',
      fix: expect.stringMatching(/^Clifford was tried with 0\.61\.0 up to, not including, /),
      facts: { path, isSupported: false, tookMs: expect.any(Number) },
    });
  });

  it('how each agent is spoken with, and why', async () => {
    const root = await tempRoot();
    const { of } = await examined(root, { gemini, claude: 'echo 2.1.330' });
    expect(of('agent:gemini')).toMatchObject({
      text: expect.stringContaining('asks before it acts, over ACP (gemini 0.61.0 was tested)'),
      facts: { via: 'acp', because: 'gemini 0.61.0 was tested' },
    });
    expect(of('agent:claude')).toMatchObject({
      text: expect.stringContaining(
        'by its command line (claude-agent-acp, which speaks ACP for it, is not on the PATH (npm install -g @agentclientprotocol/claude-agent-acp)',
      ),
      facts: { via: 'cli' },
    });
    await writeConfig(join(root, 'clifford.json'), { agent: 'claude', agents: { claude: { via: 'acp' } } });
    const asked = await examined(root, { claude: 'echo 2.1.330' });
    expect(asked.of('agent:claude')).toMatchObject({
      status: 'broken',
      fix: expect.stringContaining('npm install -g @agentclientprotocol/claude-agent-acp'),
      facts: { via: 'acp', because: 'as configured' },
    });
  });

  it('an agent that does not reach Clifford: broken if tasks go to it, else something to look at', async () => {
    const root = await tempRoot();
    const programs = {
      gemini: 'test "$1" = --version && echo 0.61.0 && exit; echo "no settings" >&2; exit 7',
    };
    const other = await examined(root, programs);
    expect(other.code).toBe(0);
    expect(other.of('agent:gemini')).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('did not reach Clifford: it ended with exit code 7: no settings'),
    });
    await writeConfig(join(root, 'clifford.json'), { agent: 'gemini' });
    const asked = await examined(root, programs);
    expect(asked.code).toBe(1);
    expect(asked.of('agent:gemini').status).toBe('broken');
  });

  it('that nobody is logged in, before it waits for an agent that needs that', async () => {
    const root = await tempRoot();
    const refusal = '{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Authentication required"}}';
    const copilot = `test "$1" = --version && echo 1.0.102 && exit; echo '${refusal}'; exec /bin/cat`;
    const { of } = await examined(root, { copilot });
    expect(of('agent:copilot')).toMatchObject({
      status: 'warning',
      text: expect.stringContaining('did not reach Clifford: it starts nothing before its user is logged in'),
      fix: 'Log in: start copilot, or give it a key',
      facts: { isLoggedIn: false },
    });
  });
});

// It stays, whatever becomes of its stdin.
const staying = `echo $$ > "$HOME/s"; /bin/mv "$HOME/s" "$STARTED"; exec "${process.execPath}" -e 'setInterval(() => {}, 1000)'`;

describeOnEachEngine('clifford doctor that is ended', () => {
  it.each([
    ['when it is asked for its version', staying],
    ['when it is tried', `test "$1" = --version && echo 0.61.0 && exit; ${staying}`],
  ])('ends an agent that hangs %s at Ctrl-C, and leaves no file behind', async (_when, gemini) => {
    const root = await tempRoot();
    const PATH = await fakePrograms({ gemini });
    const env = { PATH, HOME: root, STARTED: join(root, 'started') };
    const { kill, ended } = startClifford(['doctor'], { cwd: root, env });
    const pid = Number(await untilFile(join(root, 'started')));
    kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, out: '' });
    expect(await allGone([pid], 0)).toBe(true);
    const runs = join(root, '.clifford/runs');
    expect(existsSync(runs) ? await readdir(runs) : []).toEqual([]);
  });

  it('by SIGKILL leaves what an agent was started with, and the next one removes it', async () => {
    const root = await tempRoot();
    const gemini = `test "$1" = --version && echo 0.61.0 && exit; ${staying}`;
    const started = join(root, 'started');
    // Killed, it leaves its temporary folders, too: below the one that is removed.
    const env = { PATH: await fakePrograms({ gemini }), HOME: root, TMPDIR: root, STARTED: started };
    const { kill, ended } = startClifford(['doctor'], { cwd: root, env });
    const pid = Number(await untilFile(started));
    onTestFinished(() => terminate([-pid]));
    kill('SIGKILL');
    await ended;
    const runs = join(root, '.clifford/runs');
    expect(await readdir(runs)).toContainEqual(expect.stringMatching(/^doctor-[^.]+$/));
    await examined(root);
    expect(await readdir(runs)).toEqual([]);
  });
});

it('doctor says of a log that this user may not write that it is broken, whatever else can be written', async () => {
  const root = await tempRoot(isRoot ? await folderForAll() : undefined);
  const project = await openTestProject(root);
  const agent = { id: 'session-1', client: 'codex' };
  await ask(project, { stream: ADHOC_STREAM, agent, kind: 'help', question: 'Which port?' });
  const log = join(root, '.clifford/events.jsonl');
  giveToOrdinary(root);
  await appendFile(log, '{"cut');
  await chmod(log, 0o444);
  const { code, out } = await startClifford(['doctor'], {
    cwd: root,
    env: { HOME: root, TMPDIR: root },
    by: byOrdinary,
  }).ended;
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(
      /^\S log of 1 event, .*; 5 bytes at its end .*; but it cannot be written: the system says EACCES\n {2}fix: Make .*events.jsonl writable/m,
    ),
  ]);
});

describe('clifford doctor on a terminal', () => {
  it.each([
    [{ columns: 100, rows: 40 }, '✔ terminal 100x40, 256 colours, Unicode'],
    [{ columns: 50, rows: 40 }, '! terminal 50x40, 256 colours, Unicode'],
  ])('of %j says what it can show', async (size, line) => {
    const root = await tempRoot();
    const PATH = await fakePrograms({});
    // What speaks against colours where the tests run.
    const command = `unset CI NO_COLOR FORCE_COLOR COLORTERM TMUX; LANG=C.UTF-8 LC_ALL= HOME="${root}" PATH="${PATH}" exec "${process.execPath}" "${cliFile}" doctor`;
    const screen = openPty('/bin/sh', ['-c', command], { cwd: root, ...size });
    onTestFinished(() => screen.kill());
    expect(await screen.exited).toBe(0);
    const shown = stripVTControlCharacters(screen.bytes());
    expect(shown).toContain(`${line}\r\n`);
    const advice = / {2}fix: (Run git init, if [^]*?agents\s+change)\r\n/.exec(shown)?.[1] ?? '';
    expect(advice.split('\r\n')).toHaveLength(size.columns < 80 ? 2 : 1);
    expect(advice.split(/\s+/)).toEqual(
      'Run git init, if tasks are to be committed, and to see what agents change'.split(' '),
    );
    for (const each of advice.split('\r\n').slice(1)) expect(each).toMatch(/^ {7}\S/);
  });
});
