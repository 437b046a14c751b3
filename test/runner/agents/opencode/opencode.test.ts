import { describe, expect, it } from 'vitest';
import { createOpencodeParser } from '../../../../src/runner/agents/opencode/opencode-output.ts';
import { opencode } from '../../../../src/runner/agents/opencode/opencode.ts';
import { launchOrder } from '../../../helpers/launch-order.ts';
import { replayOutput } from '../../../helpers/recorded-output.ts';

const recorded = (name: string) => replayOutput(createOpencodeParser(), `opencode-1.18.33/${name}`);

const configOf = (env: Readonly<Record<string, string>>) => JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '');

describe('OpenCode', () => {
  it('gets the prompt on stdin, and works in the project wherever Clifford was started', () => {
    const { args, input } = opencode.launch(launchOrder());
    expect(args).toEqual([
      'run',
      '--format',
      'json',
      '--auto',
      '--print-logs',
      '--log-level',
      'WARN',
      '--dir',
      '/home/ada/project',
    ]);
    expect(input).toBe('-a prompt\nwith "quotes"');
  });

  it('goes on with a session, with the model asked for and arguments of the configuration last', () => {
    const { args } = opencode.launch(
      launchOrder({ sessionId: 'ses_1', model: 'openai/gpt-5', args: ['--agent', 'build'] }),
    );
    expect(args.slice(-6)).toEqual(['--model', 'openai/gpt-5', '--session', 'ses_1', '--agent', 'build']);
  });

  it('finds the server in a variable, with a limit of a day', () => {
    const { env, files, edits } = opencode.launch(launchOrder());
    expect(configOf(env)).toEqual({
      mcp: {
        clifford: {
          type: 'local',
          command: ['/bin/node', '/lib/mcp-entry.js'],
          environment: { CLIFFORD_RUN_ID: 'run-1' },
          enabled: true,
          timeout: 86_400_000,
        },
      },
    });
    expect([files, edits]).toEqual([undefined, undefined]);
  });

  it('gets the model asked for in that variable where no flag names it: over ACP', () => {
    const launch = opencode.acp?.launch(launchOrder({ model: 'openai/gpt-5' }));
    expect(configOf(launch?.env ?? {})).toMatchObject({ model: 'openai/gpt-5', mcp: { clifford: {} } });
    expect(launch?.args).not.toContain('--model');
  });

  it('keeps what the user has in that variable, comments or not', () => {
    const own =
      '{ "theme": "dark", /* mine */ "mcp": { "db": { "type": "remote", "url": "http://localhost" } }, }';
    const { env } = opencode.launch(launchOrder({ env: { OPENCODE_CONFIG_CONTENT: own } }));
    expect(configOf(env)).toMatchObject({
      theme: 'dark',
      mcp: { db: { url: 'http://localhost' }, clifford: { enabled: true } },
    });
  });

  it('takes an empty variable for none', () => {
    const { env } = opencode.launch(launchOrder({ env: { OPENCODE_CONFIG_CONTENT: ' ' } }));
    expect(Object.keys(configOf(env))).toEqual(['mcp']);
  });

  it.each(['{ "permission": "deny", "mcp": ', '[]', '{ "permission": "deny", "mcp": 3 }'])(
    'is not run without the rules of its user: it complains of %j itself',
    (own) => {
      const { env } = opencode.launch(launchOrder({ env: { OPENCODE_CONFIG_CONTENT: own } }));
      expect(env).toEqual({ OPENCODE_CONFIG_CONTENT: own });
    },
  );
});

describe('the output of OpenCode', () => {
  it('says what it does, uses and has said', async () => {
    const { text, signals } = await recorded('completed');
    expect(text).toBe(
      [
        'I look at the sprint first.',
        '▸ clifford_get_sprint_context /home/ada/project/sprints/demo',
        '▸ clifford_update_task_status greet',
        '▸ write /home/ada/project/hello.txt',
        '▸ bash cat hello.txt',
        '▸ clifford_update_task_status greet',
        'The task is done: hello.txt greets Ada.',
        '',
      ].join('\n'),
    );
    expect(signals.filter(({ is }) => is === 'session')).toEqual([
      { is: 'session', sessionId: expect.stringMatching(/^ses_/) },
    ]);
    expect(signals.at(-1)).toEqual({ is: 'turn-over' });
    expect(signals.filter(({ is }) => is === 'turn-over')).toHaveLength(1);
  });

  it('counts what was read from the cache apart, and money', async () => {
    const { signals } = await recorded('completed');
    expect(signals.filter(({ is }) => is === 'usage')[2]).toEqual({
      is: 'usage',
      tokens: { input: 400, output: 70, cached: 800 },
      costUsd: 0.00225,
    });
  });

  it('counts what was thought as output, and what was written to the cache as input', () => {
    const tokens = { input: 10, output: 5, reasoning: 7, cache: { read: 100, write: 20 } };
    const part = { type: 'step-finish', reason: 'tool-calls', tokens, cost: 0.5 };
    const line = JSON.stringify({ type: 'step_finish', timestamp: 1, sessionID: 'ses_1', part });
    expect(createOpencodeParser().line(line)).toEqual([
      { is: 'session', sessionId: 'ses_1' },
      { is: 'usage', tokens: { input: 30, output: 12, cached: 100 }, costUsd: 0.5 },
    ]);
  });

  it('says which tools failed and why, a command by its exit code', async () => {
    const { text } = await recorded('tool-errors');
    expect(text.split('\n').slice(0, 4)).toEqual([
      '▸ clifford_update_task_status nobody',
      '  it failed: Cannot find task nobody in sprint demo. Its tasks are greet',
      '▸ bash echo oops >&2; exit 3',
      '  it failed: exit code 3',
    ]);
  });

  it('says in its log that a quota is used up, while it goes on trying', async () => {
    const { signals } = await recorded('usage-limit');
    expect(signals[0]).toEqual({
      is: 'limit',
      message: 'You exceeded your current quota, please check your plan and billing details.',
    });
  });

  it('takes too many requests just now for no limit', async () => {
    const { signals } = await recorded('rate-limit-once');
    expect(signals.filter(({ is }) => is === 'limit')).toEqual([]);
    expect(signals[0]).toEqual({
      is: 'error',
      class: 'network',
      message: 'Rate limit reached for requests per min. Please try again later.',
    });
  });

  it.each([
    ['unauthorized', 'auth', 'Incorrect API key provided: sk-dummy.'],
    ['server-error', 'network', 'The server had an error processing your request.'],
    ['overloaded-once', 'network', 'The engine is currently overloaded, please try again later.'],
  ])('%s is an error of class %s', async (name, errorClass, message) => {
    const { signals } = await recorded(name);
    const errors = signals.filter(({ is }) => is === 'error');
    expect(errors[0]).toEqual({ is: 'error', class: errorClass, message });
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(1);
  });

  it('says in its log that the server did not start', async () => {
    const { signals } = await recorded('mcp-server-dead');
    expect(signals[0]).toEqual({ is: 'mcp', status: 'failed', detail: 'failed' });
  });

  it.each([
    ['\u001B[91m\u001B[1mError: \u001B[0mSession not found', 'session', 'Session not found'],
    [
      'Error: Configuration is invalid at /p/opencode.json',
      'config',
      'Configuration is invalid at /p/opencode.json',
    ],
    [
      'timestamp=2026-11-22T08:33:57.959Z level=ERROR run=b1 message=failed ref=err_8 error="ProviderModelNotFoundError: Model not found: a/b." cause="…"',
      'model',
      'Model not found: a/b.',
    ],
  ])('on stderr, %j is an error of class %s', (line, errorClass, message) => {
    expect(createOpencodeParser().errorLine?.(line)).toEqual([{ is: 'error', class: errorClass, message }]);
  });

  it('takes no refusal of a title for one of its work', () => {
    const log = (small: boolean) =>
      `level=ERROR message="stream error" small=${small} error.error="AI_APICallError: You exceeded your current quota"`;
    const { errorLine = () => [] } = createOpencodeParser();
    expect(errorLine(log(true))).toEqual([]);
    expect(errorLine(log(false))).toEqual([{ is: 'limit', message: 'You exceeded your current quota' }]);
  });

  it('says when a limit ends, where the provider does', () => {
    const limit = (data: object, timestamp = 1_000) =>
      createOpencodeParser()
        .line(
          JSON.stringify({ type: 'error', timestamp, sessionID: 'ses_1', error: { name: 'APIError', data } }),
        )
        ?.at(-1);
    expect(
      limit({ message: 'Slow down', statusCode: 429, responseHeaders: { 'retry-after': '60' } }),
    ).toEqual({
      is: 'limit',
      message: 'Slow down',
      resetsAt: 61_000,
    });
    expect(limit({ message: 'Pay first', statusCode: 402 })).toEqual({ is: 'limit', message: 'Pay first' });
    expect(limit({ message: 'Usage limit reached. It will reset in 2h' })).toMatchObject({
      is: 'limit',
      resetsAt: 7_201_000,
    });
  });

  it('never takes what the model writes for a limit or an error', () => {
    const text = 'Error: 429 usage limit reached, resets in 1h';
    const part = { type: 'text', text };
    const line = JSON.stringify({ type: 'text', timestamp: 1, sessionID: 'ses_1', part });
    expect(
      createOpencodeParser()
        .line(line)
        ?.map(({ is }) => is),
    ).toEqual(['session', 'text']);
  });

  it.each(['no JSON at all', '{"type":"text"', '{"type":"text","sessionID":"ses_1"}', '[1]'])(
    'shows %j as it is',
    (line) => {
      expect(createOpencodeParser().line(line)).toBeUndefined();
    },
  );

  it('says nothing of records that it will have one day', () => {
    expect(createOpencodeParser().line('{"type":"weather","sessionID":"ses_1"}')).toEqual([]);
  });
});
