import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCopilotParser } from '../../../../src/runner/agents/copilot/copilot-output.ts';
import { copilot } from '../../../../src/runner/agents/copilot/copilot.ts';
import { launchOrder } from '../../../helpers/launch-order.ts';
import { callIds, replayOutput } from '../../../helpers/recorded-output.ts';
import { tempRoot } from '../../../helpers/temp-project.ts';

const parser = () => createCopilotParser(undefined);
const recorded = (name: string) => replayOutput(parser(), `copilot-1.0.102/${name}`);
const record = (type: string, data: object) => JSON.stringify({ type, data });

const runDir = '/home/ada/project/.clifford/runs/run-1';

describe('GitHub Copilot CLI', () => {
  it('gets the prompt on stdin, and a session that Clifford names', () => {
    const { args, input, sessionId } = copilot.launch(launchOrder());
    expect(args).toEqual(
      [
        ['--output-format', 'json', '--allow-all', '--no-ask-user'],
        ['--additional-mcp-config', `@${runDir}/mcp.json`],
        ['--usage-output-file', `${runDir}/usage.json`],
        ['--session-id', '019db9cd-0000-7000-8000-000000000001'],
      ].flat(),
    );
    expect(input).toBe('-a prompt\nwith "quotes"');
    expect(sessionId).toBe('019db9cd-0000-7000-8000-000000000001');
  });

  it('goes on with a session by the same flag', () => {
    const order = launchOrder({ sessionId: 'one', model: 'gpt-5', args: ['--no-color'] });
    const { args, sessionId } = copilot.launch(order);
    expect(args.slice(8)).toEqual(['--session-id', 'one', '--model', 'gpt-5', '--no-color']);
    expect(sessionId).toBe('one');
  });

  it('finds the server in a file of the run, with a limit of a day', () => {
    const { files = [] } = copilot.launch(launchOrder());
    expect(files.map(({ path }) => path)).toEqual([`${runDir}/mcp.json`]);
    expect(JSON.parse(files[0]?.text ?? '')).toEqual({
      mcpServers: {
        clifford: {
          type: 'local',
          command: '/bin/node',
          args: ['/lib/mcp-entry.js'],
          env: { CLIFFORD_RUN_ID: 'run-1' },
          tools: ['*'],
          timeout: 86_400_000,
        },
      },
    });
  });

  it('calls the tools by its own names', () => {
    expect(copilot.toolName('request_help')).toBe('clifford-request_help');
  });
});

describe('the output of GitHub Copilot CLI', () => {
  it('says what it does and has said, once', async () => {
    const { text, signals } = await recorded('completed');
    expect(text.split('\n')).toEqual([
      'I look at the sprint first.',
      '▸ clifford-get_sprint_context /home/ada/project/sprints/demo',
      '▸ clifford-update_task_status greet',
      '▸ create /home/ada/project/hello.txt',
      '▸ bash cat hello.txt',
      '▸ clifford-update_task_status greet',
      'The task is done: hello.txt greets Ada.',
      '',
    ]);
    expect(signals.slice(-2)).toEqual([
      { is: 'session', sessionId: expect.stringMatching(/^[\da-f-]{36}$/) },
      { is: 'turn-over' },
    ]);
  });

  it('says how the connection to Clifford stands, and nothing of other servers', async () => {
    const states = (await recorded('mcp-server-dead')).signals.filter(({ is }) => is === 'mcp');
    expect(states).toEqual([
      { is: 'mcp', status: 'pending' },
      {
        is: 'mcp',
        status: 'failed',
        detail: expect.stringMatching(/exit code 3\); last stderr: no such project$/),
      },
    ]);
    const other = record('session.mcp_server_status_changed', { serverName: 'other', status: 'failed' });
    expect(parser().line(other)).toEqual([]);
  });

  it('says that a call failed, a command by its exit code', async () => {
    const { text } = await recorded('tool-errors');
    expect(text).toMatch(
      /^▸ clifford-update_task_status nobody\n {2}it failed: .*Cannot find task nobody in sprint demo\..*\n▸ bash echo.*\n {2}it failed: exit code 3\n/,
    );
  });

  it('keeps calls apart that it makes at once', async () => {
    const { started, ended } = callIds((await recorded('parallel-calls')).signals);
    expect(new Set(started).size).toBe(4);
    expect(ended).toEqual(started);
  });

  it('says in the end what the whole session used, from a file', async () => {
    const file = join(await tempRoot(), 'usage.json');
    const usage = (inputTokens: number, outputTokens: number, cacheReadTokens: number) => ({
      requests: { count: 3, cost: 0 },
      usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens: 0 },
    });
    const modelMetrics = { 'gpt-5': usage(1_200, 70, 800), 'gpt-5-mini': usage(100, 10, 0) };
    await writeFile(file, JSON.stringify({ totalUserRequests: 1, modelMetrics }, null, 2));
    expect(createCopilotParser(file).end?.()).toEqual([
      { is: 'usage', tokens: { input: 500, output: 80, cached: 800 }, isSessionTotal: true },
    ]);
  });

  it.each(['', '{"modelMetrics":3}'])('says nothing of what it used where the file says %j', async (text) => {
    const file = join(await tempRoot(), 'usage.json');
    expect(createCopilotParser(file).end?.()).toEqual([]);
    await writeFile(file, text);
    expect(createCopilotParser(file).end?.()).toEqual([]);
    expect(parser().end?.()).toEqual([]);
  });

  it('tells a used-up quota at once, though it goes on trying', async () => {
    const limits = (await recorded('usage-limit')).signals.filter(({ is }) => is === 'limit');
    expect(limits[0]).toEqual({
      is: 'limit',
      message: 'You exceeded your current quota, please check your plan and billing details.',
    });
  });

  it.each([
    ['quota', 'quota_exceeded'],
    ['rate_limit', 'user_weekly_rate_limited'],
  ])('tells a limit of its own: %s', (errorType, errorCode) => {
    const message = 'You have reached your limit';
    expect(
      parser().line(record('session.error', { errorType, errorCode, message, statusCode: 429 })),
    ).toEqual([{ is: 'limit', message }]);
  });

  it.each([
    ['unauthorized', 'auth', /^Authentication failed with provider/],
    ['server-error', 'network', /^Failed to get response from the AI model; retried 5 times/],
  ])('%s: an error, once', async (name, kind, message) => {
    const { signals } = await recorded(name);
    expect(signals.filter(({ is }) => is === 'error')).toEqual([
      { is: 'error', class: kind, message: expect.stringMatching(message) },
    ]);
    expect(signals.at(-1)).toEqual({ is: 'turn-over' });
  });

  it.each(['rate-limit-once', 'overloaded-once'])('%s: nothing to tell', async (name) => {
    const kinds = (await recorded(name)).signals.map(({ is }) => is);
    expect(kinds).toContain('text');
    expect(kinds).not.toContain('limit');
    expect(kinds).not.toContain('error');
  });

  it('says on stderr that there is no such session', () => {
    const line = "Error: No session or task matched 'nonsense'.";
    expect(parser().errorLine?.(line)).toEqual([
      { is: 'error', class: 'session', message: "No session or task matched 'nonsense'." },
    ]);
  });

  it('goes by what Copilot reports, not by what its model writes', () => {
    expect(parser().line(record('assistant.message', { content: 'quota_exceeded' }))).toEqual([
      { is: 'text', text: 'quota_exceeded' },
    ]);
  });

  it.each([
    [402, 'Pay first', [{ is: 'limit', message: 'Pay first' }]],
    [429, '{"code":"quota_exceeded","message":"No more"}', [{ is: 'limit', message: 'No more' }]],
    [429, 'Slow down', []],
    [500, 'quota_exceeded', []],
  ])('takes a refusal with %i and %j for what it is', (statusCode, errorMessage, signals) => {
    const record = { type: 'model.call_failure', data: { statusCode, errorMessage } };
    expect(createCopilotParser(undefined).line(JSON.stringify(record))).toEqual(signals);
  });
});
