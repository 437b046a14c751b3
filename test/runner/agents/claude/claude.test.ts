import { describe, expect, it } from 'vitest';
import { createClaudeParser } from '../../../../src/runner/agents/claude/claude-output.ts';
import { claudeFor } from '../../../../src/runner/agents/claude/claude.ts';
import { launchOrder } from '../../../helpers/launch-order.ts';
import { replayOutput } from '../../../helpers/recorded-output.ts';

const claude = claudeFor({ isRoot: false });

const recorded = (name: string) => replayOutput(createClaudeParser(), `claude-2.1.330/${name}`);

describe('Claude Code', () => {
  it('gets the prompt on stdin, and a session that Clifford names', () => {
    const { args, input, sessionId } = claude.launch(launchOrder());
    expect(args).toEqual([
      '-p',
      '--verbose',
      '--output-format',
      'stream-json',
      '--mcp-config',
      '/home/ada/project/.clifford/runs/run-1/mcp.json',
      '--permission-mode',
      'bypassPermissions',
      '--disallowedTools',
      'AskUserQuestion',
      '--session-id',
      '019db9cd-0000-7000-8000-000000000001',
    ]);
    expect(input).toBe('-a prompt\nwith "quotes"');
    expect(sessionId).toBe('019db9cd-0000-7000-8000-000000000001');
  });

  it('goes on with a session, with the model asked for and arguments of the configuration last', () => {
    const { args, sessionId } = claude.launch(
      launchOrder({ sessionId: 'one', model: 'opus', args: ['--max-turns', '9'] }),
    );
    expect(args.slice(-6)).toEqual(['--model', 'opus', '--resume', 'one', '--max-turns', '9']);
    expect(args).not.toContain('--session-id');
    expect(sessionId).toBe('one');
  });

  it('finds the server in a file of the run, with a limit of a day', () => {
    const { files = [] } = claude.launch(launchOrder());
    expect(files.map(({ path }) => path)).toEqual(['/home/ada/project/.clifford/runs/run-1/mcp.json']);
    expect(JSON.parse(files[0]?.text ?? '')).toEqual({
      mcpServers: {
        clifford: {
          type: 'stdio',
          command: '/bin/node',
          args: ['/lib/mcp-entry.js'],
          env: { CLIFFORD_RUN_ID: 'run-1' },
          timeout: 86_400_000,
        },
      },
    });
  });

  it('keeps the servers of its user, and waits for an answer instead of putting the call aside', () => {
    const { args, env } = claude.launch(launchOrder());
    expect(args).not.toContain('--strict-mcp-config');
    expect(env).toEqual({ CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '0' });
    const own = { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '5000' };
    expect(claude.launch(launchOrder({ env: { ...own, OTHER: 'x' } })).env).toEqual(own);
  });

  it('names what it may do unasked when it is root: there it does not let everything be allowed', () => {
    const { args } = claudeFor({ isRoot: true }).launch(launchOrder());
    expect(args).not.toContain('bypassPermissions');
    expect(args[args.indexOf('--permission-mode') + 1]).toBe('acceptEdits');
    expect(args[args.indexOf('--allowedTools') + 1]?.split(',')).toEqual(
      expect.arrayContaining(['mcp__clifford', 'Bash', 'Edit', 'Write']),
    );
  });
});

describe('the output of Claude Code', () => {
  it('says what it does and has said', async () => {
    const { text, signals } = await recorded('completed');
    expect(text.split('\n').slice(1, 3)).toEqual([
      'I look at the sprint first.',
      expect.stringMatching(/^▸ mcp__clifford__get_sprint_context .*\/sprints\/demo$/),
    ]);
    expect(text).toContain('▸ Write /home/ada/project/hello.txt\n▸ ');
    expect(text).toMatch(/The task is done: hello\.txt greets Ada\.\n$/);
    expect(text).not.toContain('{"type"');
    expect(signals.slice(0, 2)).toEqual([
      { is: 'session', sessionId: expect.stringMatching(/^[\da-f-]{36}$/) },
      { is: 'mcp', status: 'connected' },
    ]);
    expect(signals.at(-1)).toEqual({ is: 'turn-over' });
  });

  it('counts every token once: with each message, and what is missing with the result', async () => {
    const { signals } = await recorded('completed');
    const used = signals.filter((signal) => signal.is === 'usage');
    const total = (of: 'input' | 'output' | 'cached') =>
      used.reduce((sum, { tokens }) => sum + (tokens[of] ?? 0), 0);
    // As the result says of all models together: it sums up what the messages say.
    expect([total('input'), total('output'), total('cached')]).toEqual([8_200, 420, 800]);
    expect(used.map(({ costUsd }) => costUsd).filter((cost) => cost !== undefined)).toEqual([
      expect.closeTo(0.04136, 5),
    ]);
  });

  it('corrects what messages say too low, subagents included', () => {
    const parser = createClaudeParser();
    const message = { id: 'msg_1', content: [], usage: { input_tokens: 100, output_tokens: 1 } };
    const record = JSON.stringify({ type: 'assistant', message });
    expect(parser.line(record)).toEqual([{ is: 'usage', tokens: { input: 100, output: 1, cached: 0 } }]);
    // The same message, its next part.
    expect(parser.line(record)).toEqual([]);
    const result = {
      type: 'result',
      subtype: 'success',
      model_usage_since_last_result: {
        big: { inputTokens: 100, outputTokens: 90, cacheReadInputTokens: 5, costUSD: 0.5 },
        small: { inputTokens: 30, outputTokens: 10, cacheCreationInputTokens: 7, costUSD: 0.25 },
      },
    };
    expect(parser.line(JSON.stringify(result))).toEqual([
      { is: 'usage', tokens: { input: 37, output: 99, cached: 5 }, costUsd: 0.75 },
      { is: 'turn-over' },
    ]);
  });

  it('takes off a result only what was told since the one before', () => {
    const { line } = createClaudeParser();
    const usedBy = (record: object) =>
      line(JSON.stringify(record))?.flatMap((signal) => (signal.is === 'usage' ? [signal.tokens] : []));
    const message = (id: string) => ({
      type: 'assistant',
      message: { id, content: [], usage: { input_tokens: 10, output_tokens: 1 } },
    });
    const result = {
      type: 'result',
      subtype: 'success',
      model_usage_since_last_result: { big: { inputTokens: 10, outputTokens: 5 } },
    };
    const records = [message('a'), result, message('b'), result];
    const [first, rest] = [
      { input: 10, output: 1, cached: 0 },
      { input: 0, output: 4, cached: 0 },
    ];
    expect(records.flatMap(usedBy)).toEqual([first, rest, first, rest]);
  });

  it('counts of a session that is gone on with only what this run used', async () => {
    const { signals } = await recorded('resumed');
    const used = signals.filter((signal) => signal.is === 'usage');
    expect(used.reduce((sum, { tokens }) => sum + tokens.input, 0)).toBe(2_000);
    expect(used.at(-1)?.costUsd).toBe(0.0075);
  });

  it('says which tools failed, and why', async () => {
    const { signals } = await recorded('tool-errors');
    const ends = signals.filter(({ is }) => is === 'tool-end');
    expect(ends.slice(-2)).toMatchObject([
      { isError: true, why: 'Cannot find task nobody in sprint demo. Its tasks are greet' },
      { isError: true, why: 'Exit code 3 oops' },
    ]);
    expect(ends[0]).toMatchObject({ isError: false });
  });

  it('says when the limit of a plan ends', async () => {
    const { signals, text } = await recorded('subscription-limit');
    expect(signals.filter(({ is }) => is === 'limit')).toEqual([
      {
        is: 'limit',
        message: "You've hit your 5-hour limit · resets Mar 17, 2030, 5:46pm (UTC)",
        resetsAt: 1_900_000_000_000,
      },
    ]);
    // Not a second time as what it said.
    expect(text.split('5-hour limit')).toHaveLength(2);
  });

  it('is out of luck with a key when it was refused until it gave up', async () => {
    const { signals } = await recorded('usage-limit');
    expect(signals.filter(({ is }) => is === 'limit')).toEqual([
      {
        is: 'limit',
        message:
          'API Error: Request rejected (429) · This request would exceed your account’s rate limit. Please try again later.',
      },
    ]);
  });

  it.each([
    ['unauthorized', 'auth', '401 authentication_failed, retry 1 of 1'],
    ['server-error', 'network', '500 server_error, retry 1 of 1'],
    ['overloaded-once', 'network', '529 overloaded, retry 1 of 10'],
    ['rate-limit-once', 'network', '429 rate_limit, retry 1 of 10'],
  ])('%s is an error of class %s', async (name, errorClass, message) => {
    const { signals } = await recorded(name);
    const errors = signals.filter((signal) => signal.is === 'error');
    expect(errors[0]).toEqual({ is: 'error', class: errorClass, message });
    expect(new Set(errors.map((error) => error.class))).toEqual(new Set([errorClass]));
  });

  it('says that the server did not start, or is not among its servers', async () => {
    const { signals } = await recorded('mcp-server-dead');
    expect(signals).toContainEqual({ is: 'mcp', status: 'failed', detail: 'failed' });
    const init = { type: 'system', subtype: 'init', session_id: 's', mcp_servers: [] };
    expect(createClaudeParser().line(JSON.stringify(init))).toContainEqual({
      is: 'mcp',
      status: 'failed',
      detail: 'not loaded',
    });
  });

  it('has no session when the one to go on with is not there', () => {
    const message = 'No conversation found with session ID: 1';
    const result = {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      session_id: '1',
      errors: [message],
    };
    expect(createClaudeParser().line(JSON.stringify(result))).toEqual([
      { is: 'error', class: 'session', message },
      { is: 'turn-over' },
    ]);
  });

  it('never takes what the model writes for a limit or an error', () => {
    const text = "You've hit your 5-hour limit · resets 3am";
    const parser = createClaudeParser();
    const message = { id: 'msg_1', content: [{ type: 'text', text }] };
    expect(parser.line(JSON.stringify({ type: 'assistant', message }))).toEqual([{ is: 'text', text }]);
    const result = { type: 'result', subtype: 'success', is_error: false, result: text };
    expect(parser.line(JSON.stringify(result))).toEqual([{ is: 'turn-over' }]);
  });

  it('is not at its limit while it goes on at extra cost', () => {
    const parser = createClaudeParser();
    const info = { status: 'rejected', resetsAt: 1_900_000_000, isUsingOverage: true };
    parser.line(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info }));
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 429,
      result: 'later',
    };
    expect(parser.line(JSON.stringify(result))).toEqual([
      { is: 'limit', message: 'later' },
      { is: 'turn-over' },
    ]);
  });
});
