import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../../src/version.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford, cliFile, preload } from '../helpers/clifford-process.ts';
import { eventsOf, freshSprint, startRun } from '../helpers/sprint-run.ts';
import { projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

const commands = [
  'run',
  'attach',
  'status',
  'questions',
  'answer',
  'dismiss',
  'pause',
  'resume',
  'retry',
  'skip',
  'cancel',
  'replay',
  'export',
  'init',
  'doctor',
  'config',
  'diagram',
  'ask',
  'mcp',
  'mcp serve',
  'policy',
  'sprint',
  'sprint new',
  'task',
  'task add',
  'completion',
  'demo',
  'notify test',
];

describe('the help', () => {
  it('lists every command', async () => {
    const { code, out, err } = await clifford(['--help'], { cwd: tmpdir() });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const command of commands.filter((name) => !name.includes(' '))) {
      expect(out).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    }
  });

  it('fits into 80 columns, with a line for each command', async () => {
    const { out } = await clifford(['--help'], { cwd: tmpdir() });
    const lines = out.split('\n').filter((line) => !line.includes('docs/cli.md'));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => /^ {20}/.test(line))).toEqual([]);
  });

  it.each(['', ...commands])('of "%s" is text that no terminal of 80 columns breaks', async (command) => {
    const { out } = await clifford([...command.split(' ').filter(Boolean), '--help'], { cwd: tmpdir() });
    // An example is a line to be copied, and nobody knows how long a path is.
    const [text = ''] = out.split(/^Example/m);
    expect(text.split('\n').filter((line) => line.length > 80 && !line.includes('/docs/'))).toEqual([]);
  });

  it.each(commands)('of %s has an example', async (command) => {
    const { code, out } = await clifford([...command.split(' '), '--help'], { cwd: tmpdir() });
    expect(code).toBe(0);
    expect(out).toMatch(/\nExamples?\b.*:\n {2}\S/);
  });

  it.each([[[]], [['--json']]])('is shown on stderr, with 2, for no command and %j', async (args) => {
    const { code, out, err } = await clifford(args, { cwd: tmpdir() });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^Usage: clifford /);
  });
});

describe('no command, with --plain', () => {
  it.each([[['--plain']], [['--plain', '--theme', 'dark']]])(
    'prints what status does, without a terminal, too: %j',
    async (args) => {
      const { root } = await projectWithSprint();
      const status = await clifford(['status'], { cwd: root });
      expect(status).toMatchObject({ code: 0, err: '' });
      expect(await clifford(args, { cwd: root })).toEqual(status);
    },
  );
});

describe('what the system refuses', () => {
  it.each([
    [
      'EACCES',
      /^clifford: Cannot go on: EACCES.*\n {2}Let this user read and write \/there, and run it again\n$/,
    ],
    [
      'ENOSPC',
      /^clifford: Cannot go on: ENOSPC.*\n {2}Look at what this machine lacks \(ENOSPC\), and run it again\n$/,
    ],
  ])('is no bug, wherever it comes from: %s', async (code, said) => {
    const { root } = await projectWithSprint();
    const refused = preload(
      `Date.now = () => { throw Object.assign(new Error('${code}: it is refused'), { code: '${code}', path: '/there' }); }`,
    );
    const { code: exitCode, err } = await clifford(['status'], { cwd: root, nodeArgs: refused });
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringMatching(said) });
  });
});

describe('an error nobody foresaw', () => {
  const broken = preload("Date.now = () => { throw new Error('the clock is gone'); }");

  it('ends with 70 and says how to report it', async () => {
    const { root } = await projectWithSprint();
    expect(await clifford(['status'], { cwd: root, nodeArgs: broken })).toEqual({
      code: 70,
      signal: null,
      out: '',
      err:
        'clifford: the clock is gone\n' +
        '  This is a bug in Clifford: run the same command with --debug to see the stack, and report it with that\n',
    });
  });

  it.each([[['--debug', 'status']], [['status', '--debug']]])('shows its stack for %j', async (args) => {
    const { root } = await projectWithSprint();
    const { code, err } = await clifford(args, { cwd: root, nodeArgs: broken });
    expect(code).toBe(70);
    expect(err).toMatch(
      /^clifford: the clock is gone\n {2}This is a bug .*\nError: the clock is gone\n {4}at /,
    );
  });
});

describe('a known error', () => {
  it('shows its stack with --debug only', async () => {
    const root = await tempRoot();
    const { err } = await clifford(['answer', 'last', 'x'], { cwd: root });
    expect(err.split('\n')).toHaveLength(3);
    const { code, err: withStack } = await clifford(['answer', 'last', 'x', '--debug'], { cwd: root });
    expect(code).toBe(1);
    expect(withStack).toContain('\n    at ');
  });
});

describe.skipIf(!existsSync('/dev/full'))('output for which the disk has no room', () => {
  it.each([['status'], ['export']])('of %s is told in words, with 1', async (...args) => {
    const { root } = await freshSprint({ tasks: ['a'] });
    await startRun(root, { agentCmd: agentHere('complete') }).ended;
    const command = `"${process.execPath}" "${cliFile}" ${args.join(' ')} > /dev/full`;
    await expect(promisify(execFile)('/bin/sh', ['-c', command], { cwd: root })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^clifford: Cannot write the output to its end: ENOSPC.*\n {2}Free disk space.*\n$/,
      ),
    });
  });

  it('does not end a run before its end', async () => {
    const { root, project } = await freshSprint({ tasks: ['a'] });
    const command = `"${process.execPath}" "${cliFile}" run --plain --agent-cmd '${agentHere('complete')}' > /dev/full`;
    const run = promisify(execFile)('/bin/sh', ['-c', command], { cwd: root });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('ENOSPC') });
    expect((await eventsOf(project)).map(({ type }) => type)).toContain('sprint.completed');
  });
});

describe('clifford mcp serve', () => {
  it('speaks MCP on stdout, and ends with its client', async () => {
    const cwd = await tempRoot();
    const serving = promisify(execFile)(process.execPath, [cliFile, 'mcp', 'serve'], { cwd });
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    serving.child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const { stdout } = await serving;
    expect(JSON.parse(stdout)).toMatchObject({
      id: 1,
      result: { serverInfo: { name: 'clifford', version } },
    });
  });
});

describe('colours', () => {
  const asTerminal = preload(
    "import { WriteStream } from 'node:tty'; process.stdout.isTTY = true;" +
      'process.stdout.getColorDepth = WriteStream.prototype.getColorDepth',
  );

  it.each([
    ['none in a pipe', [], {}, false],
    ['some on a terminal', asTerminal, { TMUX: 'yes' }, true],
    ['none with NO_COLOR', asTerminal, { TMUX: 'yes', NO_COLOR: '1' }, false],
  ] as const)('%s', async (_what, nodeArgs, env, expected) => {
    const { root } = await projectWithSprint();
    const { out } = await clifford(['status'], { cwd: root, nodeArgs, env });
    expect(out.includes('\u001B[')).toBe(expected);
  });
});

describe('a command loads only what it needs', () => {
  const spy = preload(
    "import { registerHooks } from 'node:module'; import { appendFileSync } from 'node:fs';" +
      "registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); } });",
  );

  /** The packages bundled into the files that a command loaded. */
  async function packagesLoadedBy(args: readonly string[], cwd: string): Promise<Set<string>> {
    const folder = await mkdtemp(join(tmpdir(), 'clifford-loaded-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const loaded = join(folder, 'urls');
    await clifford(args, { cwd, nodeArgs: spy, env: { LOADED: loaded } });
    const urls = (await readFile(loaded, 'utf8')).split('\n').filter((url) => url.includes('/dist/'));
    const texts = await Promise.all(urls.map((url) => readFile(fileURLToPath(url), 'utf8')));
    const sources = texts.join('\n').matchAll(/^\/\/ node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm);
    return new Set([...sources].map(([, name = '']) => name));
  }

  const heavy = ['@modelcontextprotocol/sdk', 'hono', 'ink', 'react'];

  it.each([['status'], ['replay'], ['diagram', 'task'], ['answer', 'last', 'x'], ['--help']])(
    '%s loads neither the MCP SDK nor the screen nor what serves the page',
    async (...args) => {
      const { root } = await projectWithSprint();
      const packages = await packagesLoadedBy(args, root);
      expect(packages).toContain('commander');
      expect(heavy.filter((name) => packages.has(name))).toEqual([]);
    },
  );

  it('--version loads nothing', async () => {
    expect(await packagesLoadedBy(['--version'], tmpdir())).toEqual(new Set());
  });

  it('run --plain loads no screen', async () => {
    const { root } = await projectWithSprint();
    const packages = await packagesLoadedBy(['run', '--plain', '--agent-cmd', 'no-such-agent'], root);
    expect(packages).toContain('execa');
    expect(heavy.filter((name) => packages.has(name))).toEqual([]);
  });
});
