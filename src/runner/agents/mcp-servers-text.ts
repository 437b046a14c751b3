/** What a file says that adds Clifford's MCP server, in the form that most agent CLIs read. */
export function mcpServersText(clifford: object): string {
  return `${JSON.stringify({ mcpServers: { clifford } }, null, 2)}\n`;
}
