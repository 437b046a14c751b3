import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { CliffordMcpServer } from '../../../src/mcp/server/clifford-mcp-server.ts';
import type { CliffordMcpServerOptions } from '../../../src/mcp/server/clifford-mcp-server.ts';

/** An agent, connected in memory to a server of its own. */
export type TestAgent = {
  readonly client: Client;
  readonly server: CliffordMcpServer;
  readonly call: (name: string, args: object, signal?: AbortSignal) => Promise<CallToolResult>;
  /** The text of a result, which has to be one text. */
  readonly text: (name: string, args: object) => Promise<string>;
};

/** Starts a server in `root` and lets a real MCP client introduce itself. Ended with the test. */
export async function connectAgent(
  root: string,
  {
    env = {},
    name = 'agent',
    capabilities = {},
    prepare,
    onServer,
    wrap = (transport) => transport,
    ...options
  }: CliffordMcpServerOptions & {
    name?: string;
    /** What the client offers. */
    capabilities?: ClientCapabilities;
    /** Sets the client up before it connects. */
    prepare?: (client: Client) => void;
    /** Sets the server up before it starts. */
    onServer?: (server: CliffordMcpServer) => void;
    wrap?: (transport: InMemoryTransport) => InMemoryTransport;
  } = {},
): Promise<TestAgent> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = new CliffordMcpServer({
    projectRoot: root,
    env,
    transport: wrap(serverSide),
    questionFiles: false,
    ...options,
  });
  const client = new Client({ name, version: '1.0.0' }, { capabilities });
  prepare?.(client);
  onServer?.(server);
  await server.start();
  onTestFinished(() => server.stop());
  await client.connect(clientSide);
  const call = async (tool: string, args: object, signal?: AbortSignal) =>
    CallToolResultSchema.parse(
      await client.callTool({ name: tool, arguments: { ...args } }, undefined, signal ? { signal } : {}),
    );
  return { client, server, call, text: async (tool, args) => textOf(await call(tool, args)) };
}

/** The text of a result that is one text. */
export function textOf({ content }: CallToolResult): string {
  const [first, second] = content;
  if (first?.type !== 'text' || second) throw new Error(`not one text: ${JSON.stringify(content)}`);
  return first.text;
}
