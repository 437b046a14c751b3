import { describe, expect, it } from 'vitest';
import { copilot } from '../../../src/runner/agents/copilot/copilot.ts';
import { gemini } from '../../../src/runner/agents/gemini/gemini.ts';
import { opencode } from '../../../src/runner/agents/opencode/opencode.ts';
import { launchOrder } from '../../helpers/launch-order.ts';

const order = launchOrder({ model: 'm', args: ['--own'], env: { HOME: '/home/nobody' } });

describe('an agent that speaks the Agent Client Protocol itself', () => {
  it.each([
    [
      copilot,
      // Allowed unasked is its server, not a title that its model may write.
      `--acp --stdio --additional-mcp-config @${order.runDir}/mcp.json --allow-tool clifford --model m --own`,
    ],
    [gemini, '--acp --skip-trust --model m --own'],
    [opencode, 'acp --print-logs --log-level WARN --own'],
  ])('is started for it, without flags that allow all: $name', ({ acp }, line) => {
    const launch = acp?.launch(order);
    expect(launch?.args.join(' ')).toBe(line);
    // What it is to do is told over the protocol, for which stdin stays open.
    expect(launch).toMatchObject({ input: undefined, keepsStdin: true });
    expect(acp?.launch({ ...order, model: undefined }).args).not.toContain('--model');
  });

  it('is told to ask before it acts, where it would not: OpenCode', () => {
    expect(JSON.parse(opencode.acp?.launch(order).env['OPENCODE_PERMISSION'] ?? '')).toEqual({
      bash: 'ask',
      edit: 'ask',
      webfetch: 'ask',
      external_directory: 'ask',
    });
  });

  it('finds the server where its other runs do: Copilot CLI', () => {
    expect(copilot.acp?.launch(order).files).toEqual(copilot.launch(order).files);
  });

  it.each([
    ['copilot', copilot, { kind: 'other', title: 'clifford-request_help' }],
    ['opencode', opencode, { kind: 'other', title: 'clifford_request_help' }],
    ['gemini', gemini, { toolCallId: 'mcp_clifford_request_help-1', title: 'Ask' }],
  ])('names its calls of Clifford’s tools, and no command like one: %s', (_name, { acp }, own) => {
    const names = (call: object) => acp?.namesOwnTool({ toolCallId: '1', ...call });
    expect(names(own)).toBe(true);
    expect(names({ kind: 'execute', title: 'clifford-request_help' })).toBe(false);
    expect(names({ kind: 'execute', title: 'clifford_request_help' })).toBe(false);
    expect(names({ kind: 'other', title: 'rm-clifford-x' })).toBe(false);
    expect(names({ kind: 'other' })).toBe(false);
    expect(names({ toolCallId: 'mcp_cliffordx_request_help', kind: 'other' })).toBe(false);
  });
});
