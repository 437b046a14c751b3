import { describe, expect, it } from 'vitest';
import { runLine, runOptions } from '../../../src/views/sprints/run-line.ts';
import type { AgentRun } from '../../../src/machines/task-state.ts';
import { parseArgsStringToArgv } from 'string-argv';

const run = {
  runId: 'r1',
  attempt: 1,
  adapter: 'command',
  argv: ['my-agent', '--print', '{prompt}'],
  pid: 1,
  processStart: '1',
  bootId: 'b',
  startedAt: '2026-03-01T12:00:00.000Z',
  option: '--agent-cmd',
} satisfies AgentRun;

/** The options for a sprint whose tasks were worked on so. */
function optionsFor(...runs: readonly Partial<AgentRun>[]): readonly string[] {
  const tasks = runs.map((each, at): [string, { agent: AgentRun }] => [
    `${at}`,
    { agent: { ...run, ...each } },
  ]);
  return runOptions({ tasks: new Map(tasks) as unknown as Parameters<typeof runOptions>[0]['tasks'] });
}

describe('the command line that goes on with a sprint', () => {
  it('has the agent that the last one chose', () => {
    expect(runLine('demo', optionsFor({}))).toBe(`clifford run demo --agent-cmd 'my-agent --print {prompt}'`);
    const later = { startedAt: '2026-03-01T13:00:00.000Z', option: '--agent', agent: 'codex' } as const;
    expect(runLine('demo', optionsFor({}, later, {}))).toBe('clifford run demo --agent codex');
    expect(optionsFor({ option: '--agent-acp', argv: ['x', '--acp'] })).toEqual(['--agent-acp', 'x --acp']);
  });

  it('has none where the files chose it, or nobody has run it', () => {
    expect(runLine('demo', optionsFor({ option: undefined }))).toBe('clifford run demo');
    expect(runLine('demo', optionsFor())).toBe('clifford run demo');
  });

  it('is read as it was given', () => {
    const argv = ['a b', "it's", '{mcpConfig}', ''];
    const [, line = ''] = optionsFor({ argv: [...argv.slice(0, 2), '/p/.clifford/runs/r1/mcp.json', ''] });
    expect(parseArgsStringToArgv(line)).toEqual(argv);
  });

  it.each([
    ['is long', { argv: ['x'.repeat(300)] }],
    ['is hidden in the log', { argv: ['x', '--key=[redacted:API_KEY]'] }],
    ['has several lines', { argv: ['x', 'a\nb'] }],
    ['went on with a session', { sessionId: 's' }],
  ])('leaves out a command that %s', (_why, each) => {
    expect(optionsFor(each)).toEqual(['--agent-cmd', '…']);
  });
});
