import { describe, expect, it } from 'vitest';
import { isTimeOut, waitLimitMs } from '../../../src/gateway/wait/wait-limits.ts';
import { readWaitSettings } from '../../../src/gateway/wait/wait-settings.ts';

const client = { name: undefined, hasToken: true, gaveUpAfterMs: undefined, overrideMs: undefined };

describe('the time a call may wait', () => {
  it.each([
    { name: 'codex-mcp-client', withToken: 280_000, without: 280_000 },
    { name: 'gemini-cli-mcp-client', withToken: 570_000, without: 570_000 },
    { name: 'claude-code', withToken: undefined, without: 1_680_000 },
    { name: 'opencode', withToken: undefined, without: 50_000 },
    { name: 'copilot-cli', withToken: undefined, without: 50_000 },
    { name: 'somebody else', withToken: undefined, without: 50_000 },
    { name: undefined, withToken: undefined, without: 50_000 },
  ])('is below the limit of $name', ({ name, withToken, without }) => {
    expect(waitLimitMs({ ...client, name, hasToken: true })).toBe(withToken);
    expect(waitLimitMs({ ...client, name, hasToken: false })).toBe(without);
  });

  it('is less than the shortest call that the client gave up', () => {
    expect(waitLimitMs({ ...client, gaveUpAfterMs: 60_000 })).toBe(48_000);
    expect(waitLimitMs({ ...client, name: 'codex-mcp-client', gaveUpAfterMs: 15_000 })).toBe(12_000);
    expect(waitLimitMs({ ...client, name: 'codex-mcp-client', gaveUpAfterMs: 900_000 })).toBe(280_000);
  });

  it.each([
    { overrideMs: 3_000, limit: 3_000 },
    { overrideMs: 0, limit: undefined },
  ])('is what the environment says: $overrideMs', ({ overrideMs, limit }) => {
    expect(waitLimitMs({ name: 'codex-mcp-client', hasToken: false, gaveUpAfterMs: 5, overrideMs })).toBe(
      limit,
    );
  });
});

describe('a reason for a cancel', () => {
  it.each([
    'McpError: MCP error -32001: Request timed out',
    'request timeout',
    'Tool time-out',
    'MCP error -32001',
  ])('is a time limit: %s', (reason) => expect(isTimeOut(reason)).toBe(true));

  it.each([
    'MCP request cancelled by caller',
    'the user pressed Escape',
    '',
    undefined,
    new Error('timed out'),
  ])('is none: %s', (reason) => expect(isTimeOut(reason)).toBe(false));
});

describe('the environment', () => {
  const read = (env: Record<string, string>) => {
    const problems: string[] = [];
    return { settings: readWaitSettings({ env, report: (problem) => problems.push(problem) }), problems };
  };

  it('says nothing by default', () => {
    expect(read({ CLIFFORD_WAIT_LIMIT_MS: '' })).toEqual({
      settings: { limitMs: undefined, progressMs: 20_000 },
      problems: [],
    });
  });

  it('sets the limit and the interval of progress', () => {
    const env = { CLIFFORD_WAIT_LIMIT_MS: '0', CLIFFORD_PROGRESS_MS: '100' };
    expect(read(env)).toEqual({ settings: { limitMs: 0, progressMs: 100 }, problems: [] });
    expect(read({ CLIFFORD_WAIT_LIMIT_MS: '2147483647' }).settings.limitMs).toBe(2 ** 31 - 1);
  });

  it.each(['5s', '-1', '1.5', '2147483648', 'Infinity', '0x10', ' '])(
    'is ignored when it says %j',
    (text) => {
      expect(read({ CLIFFORD_WAIT_LIMIT_MS: text })).toEqual({
        settings: { limitMs: undefined, progressMs: 20_000 },
        problems: [
          'CLIFFORD_WAIT_LIMIT_MS is ignored. It has to be whole milliseconds from 0 (no limit) to ' +
            `2147483647, and is ${JSON.stringify(text)}`,
        ],
      });
    },
  );

  it('has no interval of 0', () => {
    const { settings, problems } = read({ CLIFFORD_PROGRESS_MS: '0' });
    expect(settings.progressMs).toBe(20_000);
    expect(problems).toHaveLength(1);
  });
});
