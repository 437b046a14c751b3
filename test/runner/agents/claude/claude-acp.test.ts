import { describe, expect, it } from 'vitest';
import { claudeAcp } from '../../../../src/runner/agents/claude/claude-acp.ts';
import { launchOrder } from '../../../helpers/launch-order.ts';

const launchOf = (more: Parameters<typeof launchOrder>[0] = {}) => claudeAcp.launch(launchOrder(more));

const callOf = (claudeCode: object) => ({ toolCallId: 'toolu_1', _meta: { claudeCode } });

describe('Claude Code over ACP', () => {
  it('gets the server with the session, with a limit of a day and the variables as they are', () => {
    const env = { CLIFFORD_RUN_ID: 'run-1', HERE: '/a/$b' };
    const { sessionMeta } = launchOf({ mcp: { command: '/bin/node', args: ['/lib/mcp-entry.js'], env } });
    expect(sessionMeta).toMatchObject({
      claudeCode: {
        options: {
          mcpServers: {
            clifford: {
              type: 'stdio',
              command: '/bin/node',
              args: ['/lib/mcp-entry.js'],
              // It puts variables in the place of such names, and has them.
              env: { CLIFFORD_RUN_ID: 'run-1', HERE: '${HERE}' },
              timeout: 86_400_000,
            },
          },
        },
      },
    });
  });

  it('asks before it acts, whatever the settings of the project allow', () => {
    expect(claudeAcp.mode).toBe('default');
    expect(launchOf().sessionMeta).toMatchObject({
      claudeCode: {
        options: {
          settings: { permissions: { ask: ['Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch'] } },
        },
      },
    });
  });

  it('asks its model for no suggestions of what to say next', () => {
    expect(launchOf().sessionMeta).toMatchObject({ claudeCode: { options: { promptSuggestions: false } } });
  });

  it('is the one that is installed, unless the user names another, and has the model asked for', () => {
    const cli = '/usr/bin/claude';
    expect(launchOf({ cli, model: 'opus' }).env).toEqual({
      CLAUDE_CODE_EXECUTABLE: cli,
      CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '0',
      ANTHROPIC_MODEL: 'opus',
    });
    const own = { CLAUDE_CODE_EXECUTABLE: '/opt/claude' };
    expect(launchOf({ cli, env: own }).env).toMatchObject(own);
    expect(launchOf().env).not.toHaveProperty('CLAUDE_CODE_EXECUTABLE');
  });

  it('is allowed a tool of Clifford by the server it names, not by the name of the tool', () => {
    const toolName = 'mcp__clifford__request_help';
    expect(claudeAcp.isOwnTool?.(callOf({ toolName, mcpServer: { name: 'clifford' } }))).toBe(true);
    expect(claudeAcp.isOwnTool?.(callOf({ toolName }))).toBe(false);
    expect(claudeAcp.isOwnTool?.(callOf({ toolName, mcpServer: { name: 'clifford2' } }))).toBe(false);
    expect(claudeAcp.isOwnTool?.({ toolCallId: 'toolu_1', title: toolName })).toBe(false);
    // Their server records them; of what is only told nothing is decided.
    expect(claudeAcp.namesOwnTool(callOf({ toolName }))).toBe(true);
    expect(claudeAcp.namesOwnTool(callOf({ toolName: 'Bash' }))).toBe(false);
  });
});
