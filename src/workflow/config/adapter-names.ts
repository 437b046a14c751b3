/** The agent CLIs that Clifford knows. `src/runner/agents` has an adapter for each. */
export const adapterNames = ['opencode', 'claude', 'codex', 'gemini', 'copilot', 'cursor'] as const;

/** One of {@link adapterNames}. */
export type AdapterName = (typeof adapterNames)[number];

/** Clients of theirs, as they name themselves, that show a question of MCP to their user. */
export const elicitingClients: readonly string[] = ['claude-code', 'codex-mcp-client', 'copilot-cli'];
