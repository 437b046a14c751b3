import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGeminiParser } from '../../../../src/runner/agents/gemini/gemini-output.ts';
import { gemini } from '../../../../src/runner/agents/gemini/gemini.ts';
import { RunFiles } from '../../../../src/runner/attempt/run-files.ts';
import { launchOrder } from '../../../helpers/launch-order.ts';
import { callIds, replayOutput } from '../../../helpers/recorded-output.ts';
import { tempRoot } from '../../../helpers/temp-project.ts';

const recorded = (name: string) => replayOutput(createGeminiParser(), `gemini-0.61.0/${name}`);

const clifford = {
  command: '/bin/node',
  args: ['/lib/mcp-entry.js'],
  env: { CLIFFORD_WAIT_LIMIT_MS: '82800000', CLIFFORD_RUN_ID: 'run-1' },
  timeout: 86_400_000,
  trust: true,
};

/** The home of a run for a user with these files below `.gemini`, made as the runner makes it. */
async function homeFor(users: Readonly<Record<string, string>>) {
  const home = await tempRoot();
  await mkdir(join(home, '.gemini'));
  for (const [name, text] of Object.entries(users)) await writeFile(join(home, '.gemini', name), text);
  const runDir = join(await tempRoot(), 'run');
  const launch = gemini.launch(launchOrder({ runDir, env: { HOME: home } }));
  const files = new RunFiles(runDir);
  files.write(launch);
  const own = join(launch.env['GEMINI_CLI_HOME'] ?? '', '.gemini');
  const settings = async () => JSON.parse(await readFile(join(own, 'settings.json'), 'utf8')) as object;
  return { home, users: join(home, '.gemini'), own, settings, files };
}

describe('Gemini CLI', () => {
  it('gets the prompt on stdin, and goes on with a session', () => {
    const order = launchOrder({ env: { HOME: '/home/nobody' } });
    const { args, input } = gemini.launch(order);
    expect(args).toEqual(['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust']);
    expect(input).toBe('-a prompt\nwith "quotes"');
    const again = gemini.launch({ ...order, sessionId: 'one', model: 'flash', args: ['--debug'] });
    expect(again.args.slice(5)).toEqual(['--model', 'flash', '--resume', 'one', '--debug']);
  });

  it('hands on a value with a dollar by its environment: in the settings it would be taken for a variable', () => {
    const mcp = { ...launchOrder().mcp, env: { CLIFFORD_PROJECT_ROOT: '/a$HOME', CLIFFORD_RUN_ID: 'run-1' } };
    const { files = [] } = gemini.launch(launchOrder({ mcp, env: { HOME: '/home/nobody' } }));
    expect(JSON.parse(files[0]?.text ?? '')).toEqual({ mcpServers: { clifford } });
  });

  it('calls the tools by its own names', () => {
    expect(gemini.toolName('request_help')).toBe('mcp_clifford_request_help');
  });

  it('has a home with the settings of its user and one server more', async () => {
    const text = `{
      // mine
      "ui": { "theme": "GitHub" },
      "mcpServers": { "other": { "command": "other" }, "clifford": { "command": "old" } },
      "mcp": { "allowed": ["other"], "excluded": ["clifford", "bad"], "serverCommand": "x" }
    }`;
    const { users, settings } = await homeFor({ 'settings.json': text });
    expect(await settings()).toEqual({
      ui: { theme: 'GitHub' },
      mcpServers: { other: { command: 'other' }, clifford },
      mcp: { allowed: ['other', 'clifford'], excluded: ['bad'], serverCommand: 'x' },
    });
    expect(await readFile(join(users, 'settings.json'), 'utf8')).toBe(text);
  });

  it('finds everything else of its user in that home, and keeps its sessions with them', async () => {
    const { users, own, files } = await homeFor({ 'settings.json': '{}', 'oauth_creds.json': 'key' });
    expect((await readdir(own)).toSorted()).toEqual(['history', 'oauth_creds.json', 'settings.json', 'tmp']);
    expect(await readFile(join(own, 'oauth_creds.json'), 'utf8')).toBe('key');
    await writeFile(join(own, 'oauth_creds.json'), 'new key');
    await mkdir(join(own, 'tmp/project'));
    files.remove();
    expect(await readFile(join(users, 'oauth_creds.json'), 'utf8')).toBe('new key');
    expect(await readdir(join(users, 'tmp'))).toEqual(['project']);
  });

  it('works for a user without a folder of the kind, and for one whose folder is elsewhere', async () => {
    const home = await tempRoot();
    const runDir = join(await tempRoot(), 'run');
    new RunFiles(runDir).write(gemini.launch(launchOrder({ runDir, env: { HOME: home } })));
    expect((await readdir(join(home, '.gemini'))).toSorted()).toEqual(['history', 'tmp']);

    const other = await tempRoot();
    await symlink('/nowhere', join(other, '.agents'));
    const env = { HOME: home, GEMINI_CLI_HOME: other };
    const { links = [] } = gemini.launch(launchOrder({ runDir, env }));
    expect(links.map(({ target }) => target)).toEqual([
      join(other, '.gemini/tmp'),
      join(other, '.gemini/history'),
      join(other, '.agents'),
    ]);
  });

  it('leaves settings that cannot be read for the CLI to complain about', async () => {
    const { own, users } = await homeFor({ 'settings.json': '{ "ui": ' });
    expect(await readlink(join(own, 'settings.json'))).toBe(join(users, 'settings.json'));
  });
});

describe('the output of Gemini CLI', () => {
  it('says what it does and has said, what comes in parts as one', async () => {
    const { text, signals } = await recorded('completed');
    expect(text.split('\n')).toEqual([
      'I look at the sprint first.',
      '▸ mcp_clifford_get_sprint_context /home/ada/project/sprints/demo',
      '▸ mcp_clifford_update_task_status greet',
      '▸ write_file /home/ada/project/hello.txt',
      '▸ run_shell_command cat hello.txt',
      '▸ mcp_clifford_update_task_status greet',
      'The task is done: hello.txt greets Ada.',
      '',
    ]);
    expect(signals[0]).toEqual({ is: 'session', sessionId: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(signals.slice(-2)).toEqual([
      { is: 'usage', tokens: { input: 5_400, output: 320, cached: 800 } },
      { is: 'turn-over' },
    ]);
  });

  it('says what this run used, not the session', async () => {
    const { signals } = await recorded('resumed');
    expect(signals.at(-2)).toEqual({ is: 'usage', tokens: { input: 2_000, output: 100, cached: 0 } });
  });

  it('counts thoughts as output', () => {
    const stats = { total_tokens: 1_500, input_tokens: 1_000, output_tokens: 200, cached: 0 };
    expect(createGeminiParser().line(JSON.stringify({ type: 'result', status: 'success', stats }))).toEqual([
      { is: 'usage', tokens: { input: 1_000, output: 500, cached: 0 } },
      { is: 'turn-over' },
    ]);
  });

  it('says that a call failed', async () => {
    const { text } = await recorded('tool-errors');
    expect(text).toMatch(
      /^▸ mcp_clifford_update_task_status nobody\n {2}it failed: Error: MCP tool 'update_task_status' reported an error\.\n▸ run_shell_command echo/,
    );
  });

  it('keeps calls apart that it makes at once', async () => {
    const { started, ended } = callIds((await recorded('parallel-calls')).signals);
    expect(new Set(started).size).toBe(4);
    expect(ended).toEqual(started);
  });

  it('tells a usage limit', async () => {
    const { signals } = await recorded('usage-limit');
    expect(signals.slice(-2)).toEqual([
      { is: 'limit', message: expect.stringContaining('You have exhausted your daily quota on this model') },
      { is: 'turn-over' },
    ]);
  });

  it.each([
    ['Suggested retry after 3600s.', 3_600_000],
    ['Your quota will reset after 1h2m3.5s.', 3_723_500],
    ['Please retry in 900.5ms.', 901],
  ])('%s: the limit ends then', (words, delayMs) => {
    const timestamp = '2026-11-22T09:00:00.000Z';
    const error = { type: 'unknown', message: `[API Error: Quota exceeded. ${words}]` };
    const signals = createGeminiParser().line(JSON.stringify({ type: 'result', timestamp, error }));
    expect(signals?.[0]).toMatchObject({ is: 'limit', resetsAt: Date.parse(timestamp) + delayMs });
  });

  it('takes the delay from stderr where the message has none', () => {
    const { line, errorLine } = createGeminiParser();
    expect(errorLine?.('  retryDelayMs: 60000,')).toEqual([]);
    const timestamp = '2026-11-22T09:00:00.000Z';
    const error = { message: '[API Error: slow down]\nPlease wait and try again later.' };
    expect(line(JSON.stringify({ type: 'result', timestamp, error }))?.[0]).toMatchObject({
      is: 'limit',
      resetsAt: Date.parse('2026-11-22T09:01:00.000Z'),
    });
  });

  it('tells an error with its kind', async () => {
    const { signals } = await recorded('unauthorized');
    expect(signals.slice(-2)).toEqual([
      { is: 'error', class: 'auth', message: expect.stringContaining('API key not valid') },
      { is: 'turn-over' },
    ]);
  });

  it.each([
    ['Error resuming session: Invalid session identifier "x".', 'session'],
    ['When using Gemini API, you must specify the GEMINI_API_KEY environment variable.', 'auth'],
  ])('says on stderr: %s', (message, kind) => {
    expect(createGeminiParser().errorLine?.(message)).toEqual([{ is: 'error', class: kind, message }]);
  });

  it.each(['rate-limit-once', 'overloaded-once', 'server-error', 'mcp-server-dead'])(
    '%s: neither a limit nor an error while it goes on',
    async (name) => {
      const kinds = (await recorded(name)).signals.map(({ is }) => is);
      expect(kinds).toContain('session');
      expect(kinds).not.toContain('limit');
      expect(kinds).not.toContain('error');
    },
  );

  it('goes by what Gemini CLI reports, not by what its model writes', () => {
    const line = JSON.stringify({
      type: 'message',
      role: 'assistant',
      content: 'Quota exceeded',
      delta: true,
    });
    expect(createGeminiParser().line(line)).toEqual([{ is: 'text', text: 'Quota exceeded', isPart: true }]);
  });
});
