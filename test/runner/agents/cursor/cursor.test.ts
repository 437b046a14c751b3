import { describe, expect, it } from 'vitest';
import { createCursorParser } from '../../../../src/runner/agents/cursor/cursor-output.ts';
import { cursor } from '../../../../src/runner/agents/cursor/cursor.ts';
import { launchOrder } from '../../../helpers/launch-order.ts';

const signalsOf = (...records: object[]) => {
  const parser = createCursorParser();
  return records.map((record) => parser.line(JSON.stringify(record)));
};

describe('Cursor', () => {
  it('gets the prompt on stdin, and may do what it wants', () => {
    const { args, input } = cursor.launch(launchOrder());
    expect(args).toEqual([
      '--print',
      '--output-format',
      'stream-json',
      '--force',
      '--trust',
      '--approve-mcps',
    ]);
    expect(input).toBe('-a prompt\nwith "quotes"');
  });

  it('goes on with a chat, with the model asked for and arguments of the configuration last', () => {
    const { args } = cursor.launch(
      launchOrder({ sessionId: 'chat', model: 'auto', args: ['--sandbox', 'enabled'] }),
    );
    expect(args.slice(-6)).toEqual(['--model', 'auto', '--resume', 'chat', '--sandbox', 'enabled']);
  });

  it('finds the server in a file of the project, the same for all runs in it', () => {
    expect(cursor.launch(launchOrder()).edits).toEqual([
      {
        path: '/home/ada/project/.cursor/mcp.json',
        keys: ['mcpServers', 'clifford'],
        value: {
          command: '/bin/node',
          args: ['/lib/mcp-entry.js'],
          env: { CLIFFORD_RUN_ID: '${env:CLIFFORD_RUN_ID}' },
        },
      },
    ]);
  });
});

describe('the output of Cursor', () => {
  it('names the chat, and says what it says', () => {
    const content = [{ type: 'text', text: 'Hello' }, { type: 'image' }];
    expect(
      signalsOf(
        { type: 'system', subtype: 'init', session_id: 'chat', model: 'Auto' },
        { type: 'user', message: { role: 'user', content }, session_id: 'chat' },
        { type: 'thinking', subtype: 'delta', text: 'hm', session_id: 'chat' },
        { type: 'assistant', message: { role: 'assistant', content }, session_id: 'chat' },
      ),
    ).toEqual([[{ is: 'session', sessionId: 'chat' }], [], [], [{ is: 'text', text: 'Hello' }]]);
  });

  it('names its tools without their endings, and those of servers by their own names, once each', () => {
    const call = (subtype: string, tool_call: object) => ({
      type: 'tool_call',
      subtype,
      call_id: 'c\n1',
      tool_call,
    });
    const shell = { args: { command: 'ls -l', timeout: 9 } };
    const help = {
      args: { name: 'clifford-request_help', toolName: 'request_help', args: { question: 'Why?' } },
    };
    expect(
      signalsOf(
        call('started', { shellToolCall: shell }),
        call('progress', { shellToolCall: shell }),
        call('completed', { shellToolCall: { ...shell, result: { success: { exitCode: 0 } } } }),
        call('started', { mcpToolCall: help, toolCallId: 'c' }),
        call('completed', { mcpToolCall: { ...help, result: { rejected: {} } } }),
      ).flat(),
    ).toEqual([
      { is: 'tool-start', id: 'c\n1', tool: 'shell', about: 'ls -l' },
      { is: 'tool-end', id: 'c\n1', isError: false },
      { is: 'tool-start', id: 'c\n1', tool: 'request_help', about: 'Why?' },
      { is: 'tool-end', id: 'c\n1', isError: true },
    ]);
  });

  it('ends its turn with the result, and counts what it used where it says so', () => {
    const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 50, cacheWriteTokens: 7 };
    expect(signalsOf({ type: 'result', subtype: 'success', is_error: false, result: 'ok', usage })).toEqual([
      [{ is: 'usage', tokens: { input: 107, output: 20, cached: 50 } }, { is: 'turn-over' }],
    ]);
    expect(signalsOf({ type: 'result', subtype: 'success', result: "You've hit your usage limit" })).toEqual([
      [{ is: 'turn-over' }],
    ]);
  });

  it('says what went wrong', () => {
    expect(
      signalsOf({ type: 'result', subtype: 'error', is_error: true, result: 'You are out of usage' }),
    ).toEqual([[{ is: 'limit', message: 'You are out of usage' }, { is: 'turn-over' }]]);
    const { errorLine } = createCursorParser();
    expect(errorLine?.('Error: Not logged in. Run cursor-agent login')).toEqual([
      { is: 'error', class: 'auth', message: 'Not logged in. Run cursor-agent login' },
    ]);
    expect(errorLine?.('just a line')).toEqual([]);
  });
});
