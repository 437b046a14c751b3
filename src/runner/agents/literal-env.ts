/**
 * The variables of an MCP server for a file in which the agent CLI puts its own variables in the place of `$NAME`
 * and `${NAME}`, and knows no escape: a value with a `$` is named. The agent has the same variables.
 */
export function literalEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.includes('$') ? `\${${name}}` : value]),
  );
}
