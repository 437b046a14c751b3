import type { LaunchOrder } from '../../src/runner/agents/agent-adapter.ts';

/** What an adapter is asked to start an agent for. */
export function launchOrder(more: Partial<LaunchOrder> = {}): LaunchOrder {
  return {
    prompt: '-a prompt\nwith "quotes"',
    model: undefined,
    sessionId: undefined,
    newSessionId: '019db9cd-0000-7000-8000-000000000001',
    mcp: { command: '/bin/node', args: ['/lib/mcp-entry.js'], env: { CLIFFORD_RUN_ID: 'run-1' } },
    projectRoot: '/home/ada/project',
    runDir: '/home/ada/project/.clifford/runs/run-1',
    args: [],
    env: {},
    ...more,
  };
}
