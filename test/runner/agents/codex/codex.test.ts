import { describe, expect, it } from 'vitest';
import { createCodexParser } from '../../../../src/runner/agents/codex/codex-output.ts';
import { codex } from '../../../../src/runner/agents/codex/codex.ts';
import { launchOrder } from '../../../helpers/launch-order.ts';
import { replayOutput } from '../../../helpers/recorded-output.ts';

const recorded = (name: string) => replayOutput(createCodexParser(), `codex-0.169.0/${name}`);

const server = (key: string, value: string) => ['-c', `mcp_servers.clifford.${key}=${value}`];

const settings = [
  '-c',
  'sandbox_mode="workspace-write"',
  '-c',
  'approval_policy="never"',
  ...server('command', '"/bin/node"'),
  ...server('args', '["/lib/mcp-entry.js"]'),
  ...server('env_vars', '["CLIFFORD_RUN_ID"]'),
  ...server('env', '{"CLIFFORD_WAIT_LIMIT_MS"="82800000"}'),
  ...server('tool_timeout_sec', '86400'),
  ...server('startup_timeout_sec', '60'),
  ...server('default_tools_approval_mode', '"approve"'),
  ...server('required', 'true'),
];

describe('Codex', () => {
  it('gets everything by flags, and the prompt on stdin', () => {
    const launch = codex.launch(launchOrder());
    expect(launch).toEqual({
      args: ['exec', '--json', '--skip-git-repo-check', ...settings, '-'],
      input: '-a prompt\nwith "quotes"',
      env: {},
    });
  });

  it('goes on with a session, with the same arguments before', () => {
    const order = launchOrder({ sessionId: 'one', model: 'gpt-5', args: ['-s', 'read-only'] });
    const { args } = codex.launch(order);
    expect(args.slice(3 + settings.length).join(' ')).toBe('--model gpt-5 -s read-only resume one -');
  });

  it('lets a limit of its user count, writes any path as TOML, and no value of a variable', () => {
    const path = 'C:\\a "b"\n\u007F\u{1F600}';
    const env = { CLIFFORD_WAIT_LIMIT_MS: '1000', CLIFFORD_TOKEN: 'open-sesame' };
    const { args } = codex.launch(launchOrder({ mcp: { command: path, args: [path], env } }));
    const text = String.raw`"C:\\a \"b\"\n\u007F${'\u{1F600}'}"`;
    expect(args).toContain(`mcp_servers.clifford.command=${text}`);
    expect(args).toContain(`mcp_servers.clifford.args=[${text}]`);
    expect(args).toContain('mcp_servers.clifford.env_vars=["CLIFFORD_WAIT_LIMIT_MS","CLIFFORD_TOKEN"]');
    expect(args).toContain('mcp_servers.clifford.env={}');
    expect(args.join(' ')).not.toContain('open-sesame');
  });

  it('calls the tools by its own names', () => {
    expect(codex.toolName('request_help')).toBe('mcp__clifford__request_help');
  });
});

describe('the output of Codex', () => {
  it('says what it does and has said', async () => {
    const { text, signals } = await recorded('completed');
    expect(text.split('\n').slice(1, 4)).toEqual([
      'I look at the sprint first.',
      '▸ mcp__clifford__get_sprint_context /home/ada/project/sprints/demo',
      '▸ mcp__clifford__update_task_status greet',
    ]);
    expect(text).toMatch(/\n▸ shell cat hello\.txt\n[^]*\nThe task is done: hello\.txt greets Ada\.\n$/);
    expect(text).not.toContain('{"type"');
    expect(signals[0]).toEqual({ is: 'session', sessionId: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(signals.filter(({ is }) => is === 'tool-start')).toHaveLength(5);
    expect(signals.filter(({ is }) => is === 'tool-end')).toHaveLength(5);
  });

  it('says what the whole session used, when a turn is over', async () => {
    expect((await recorded('completed')).signals.slice(-2)).toEqual([
      { is: 'usage', tokens: { input: 5_400, output: 320, cached: 800 }, isSessionTotal: true },
      { is: 'turn-over' },
    ]);
    // Two requests before it was resumed, two after that.
    expect((await recorded('resumed')).signals.slice(-2)).toEqual([
      { is: 'usage', tokens: { input: 4_000, output: 200, cached: 0 }, isSessionTotal: true },
      { is: 'turn-over' },
    ]);
  });

  it('says that a call failed', async () => {
    const { text } = await recorded('tool-errors');
    expect(text.split('\n').slice(1, 5)).toEqual([
      '▸ mcp__clifford__update_task_status nobody',
      '  it failed: Cannot find task nobody in sprint demo. Its tasks are greet',
      '▸ shell echo oops >&2; exit 3',
      '  it failed: exit code 3',
    ]);
  });

  it('tells a usage limit with its end, on the clock of this machine, once', async () => {
    const { signals } = await recorded('usage-limit');
    expect(signals.filter(({ is }) => is === 'limit' || is === 'error')).toEqual([
      {
        is: 'limit',
        message: expect.stringMatching(
          /^You’ve hit your usage limit\. .* try again at Mar 17th, 2030 5:46 PM\.$/,
        ),
        resetsAt: new Date(2030, 2, 17, 17, 47).getTime(),
      },
    ]);
  });

  it.each([
    ['or try again at 5:46 PM.', new Date(2026, 10, 22, 17, 47).getTime()],
    ['or try again at 12:05 AM.', new Date(2026, 10, 22, 0, 6).getTime()],
    ['or try again later.', undefined],
  ])('%s: the limit ends then', (words, resetsAt) => {
    const message = `You've hit your usage limit. Upgrade ${words}`;
    const parser = createCodexParser(() => new Date(2026, 10, 22, 9).getTime());
    expect(parser.line(JSON.stringify({ type: 'error', message }))).toEqual([
      { is: 'limit', message, ...(resetsAt === undefined ? {} : { resetsAt }) },
    ]);
  });

  it('goes by what Codex reports, not by what its model writes', () => {
    const item = { id: 'a', type: 'agent_message', text: 'You’ve hit your usage limit. Try again later.' };
    expect(createCodexParser().line(JSON.stringify({ type: 'item.completed', item }))).toEqual([
      { is: 'text', text: item.text },
    ]);
  });

  it.each([
    ['unauthorized', 'auth', /401 Unauthorized: Incorrect API key/],
    ['server-error', 'network', /experiencing high demand/],
  ])('%s: an error, once, after the tries that were only told', async (name, kind, message) => {
    const { text, signals } = await recorded(name);
    expect(text.match(/^Reconnecting\.\.\. \d\/5/gm)).toHaveLength(5);
    expect(signals.filter(({ is }) => is === 'error')).toEqual([
      { is: 'error', class: kind, message: expect.stringMatching(message) },
    ]);
    expect(signals.at(-1)).toEqual({ is: 'turn-over' });
  });

  it.each(['rate-limit-once', 'overloaded-once'])('%s: nothing to tell but text', async (name) => {
    const { text, signals } = await recorded(name);
    expect(text).toContain('Now it works.');
    expect(signals.map(({ is }) => is)).not.toContain('limit');
    expect(signals.map(({ is }) => is)).not.toContain('error');
  });

  it('says that the server is missing, and why', async () => {
    expect((await recorded('mcp-server-dead')).signals).toEqual([
      {
        is: 'mcp',
        status: 'failed',
        detail: expect.stringMatching(/^handshaking with MCP server failed: .*response$/),
      },
    ]);
  });

  it('says on stderr that there is no such session', () => {
    const line =
      'Error: thread/resume: thread/resume failed: no rollout found for thread id 01a2 (code -32600)';
    expect(createCodexParser().errorLine?.(line)).toEqual([
      { is: 'error', class: 'session', message: line.slice('Error: '.length) },
    ]);
  });

  it('shows a change of files and a search, which have no beginning', () => {
    const { line } = createCodexParser();
    const completed = (item: object) => line(JSON.stringify({ type: 'item.completed', item }));
    const changes = [
      { path: 'a.ts', kind: 'add' },
      { path: 'b.ts', kind: 'update' },
    ];
    expect(completed({ id: 'i1', type: 'file_change', changes, status: 'failed' })).toEqual([
      { is: 'tool-start', id: 'i1', tool: 'edit', about: 'a.ts b.ts' },
      { is: 'tool-end', id: 'i1', isError: true },
    ]);
    expect(
      completed({ id: 'i4', type: 'command_execution', command: 'rm x', status: 'declined' }),
    ).toContainEqual({ is: 'tool-end', id: 'i4', isError: true });
    expect(completed({ id: 'i2', type: 'web_search', query: 'xstate' })).toEqual([
      { is: 'tool-start', id: 'i2', tool: 'web_search', about: 'xstate' },
      { is: 'tool-end', id: 'i2', isError: false },
    ]);
    expect(completed({ id: 'i3', type: 'reasoning', text: 'Hm.' })).toEqual([]);
  });

  it('counts nothing as cached where that is not said', () => {
    const usage = { input_tokens: 7, output_tokens: 2 };
    expect(createCodexParser().line(JSON.stringify({ type: 'turn.completed', usage }))).toContainEqual({
      is: 'usage',
      tokens: { input: 7, output: 2, cached: 0 },
      isSessionTotal: true,
    });
  });

  it.each([
    '',
    'panic!',
    '{"type":"turn.completed"}',
    '{"type":"item.completed","item":{"id":"a","type":"agent_message"}}',
  ])('%j is none of its records: it is shown', (line) =>
    expect(createCodexParser().line(line)).toBeUndefined(),
  );
});
