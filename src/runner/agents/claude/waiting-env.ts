/** After how many ms it goes on without waiting for a call. */
const BACKGROUND_AFTER = 'CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS';

/** Has a question waited for, not put aside after two minutes while the work goes on. A value of the user's counts more. */
export function waitingEnv(users: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return { [BACKGROUND_AFTER]: users[BACKGROUND_AFTER] ?? '0' };
}
