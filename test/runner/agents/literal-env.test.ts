import { describe, expect, it } from 'vitest';
import { claude } from '../../../src/runner/agents/claude/claude.ts';
import { copilot } from '../../../src/runner/agents/copilot/copilot.ts';
import { launchOrder } from '../../helpers/launch-order.ts';

describe('the variables of the server', () => {
  it.each([claude, copilot])('$title gets by name where a value could be taken for a variable', (agent) => {
    const env = { CLIFFORD_PROJECT_ROOT: '/home/ada/$HOME', CLIFFORD_RUN_ID: 'run-1' };
    const mcp = { command: '/bin/node', args: [], env };
    const { files = [] } = agent.launch(launchOrder({ mcp }));
    expect(JSON.parse(files[0]?.text ?? '')).toMatchObject({
      mcpServers: {
        clifford: { env: { CLIFFORD_PROJECT_ROOT: '${CLIFFORD_PROJECT_ROOT}', CLIFFORD_RUN_ID: 'run-1' } },
      },
    });
  });
});
