/** The server that the log names for an agent's own tools: no server of `mcp.json` can be called so. */
export function serverOfAgent(name: string): string {
  return `@${name}`;
}

/** The agent whose own tools a server stands for in the log; `undefined`: it is a server. */
export function agentOfServer(server: string): string | undefined {
  return server.startsWith('@') ? server.slice(1) : undefined;
}
