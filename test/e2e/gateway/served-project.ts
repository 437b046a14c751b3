import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { cliFile } from '../../helpers/clifford-process.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { openTestProject, tempRoot } from '../../helpers/temp-project.ts';
import { gatewayAgent, gatewayEnv } from '../../mcp/support/gateway-agent.ts';
import { textOf } from '../../mcp/support/connect-agent.ts';
import type { Project } from '../../../src/workflow/project/project.ts';

/** An MCP client as an agent has it, and the program on its other end. */
export type Served = {
  readonly client: Client;
  readonly pid: number;
  /** The result as it came. */
  readonly raw: (name: string, args: object) => Promise<Record<string, unknown>>;
  readonly call: (name: string, args: object, signal?: AbortSignal) => Promise<CallToolResult>;
  /** The text of a result, which has to be one text. */
  readonly text: (name: string, args: object) => Promise<string>;
};

export type ClientOptions = {
  readonly capabilities?: ClientCapabilities;
  /** Sets the client up before it connects. */
  readonly prepare?: (client: Client) => void;
};

/** Starts a program that speaks MCP on its standard streams, and connects to it. It ends with the test. */
export async function startProgram(
  args: readonly string[],
  {
    cwd,
    env,
    ...options
  }: ClientOptions & { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Served> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    cwd,
    env: { ...env },
    stderr: 'pipe',
  });
  // Nobody reads it, and it is not to fill up.
  transport.stderr?.on('data', () => undefined);
  const client = await connect(transport, options);
  return { ...calling(client), pid: transport.pid ?? 0 };
}

/** Connects a client. It leaves with the test. */
export async function connect(
  transport: Parameters<Client['connect']>[0],
  { capabilities = {}, prepare }: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities });
  prepare?.(client);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

/** The ways to call a tool that the tests need. */
export function calling(client: Client): Omit<Served, 'pid'> {
  const call = async (name: string, args: object, signal?: AbortSignal) =>
    CallToolResultSchema.parse(
      await client.callTool({ name, arguments: { ...args } }, undefined, signal ? { signal } : {}),
    );
  return {
    client,
    call,
    raw: (name, args) =>
      client.request({ method: 'tools/call', params: { name, arguments: { ...args } } }, ResultSchema),
    text: async (name, args) => textOf(await call(name, args)),
  };
}

/** `clifford mcp serve` as it is built, in a project of its own (or in `root`) with this `mcp.json`. */
export async function servedProject(
  mcpJson: object,
  {
    root,
    env = {},
    ...options
  }: ClientOptions & { readonly root?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Served & { readonly root: string; readonly project: Project }> {
  const folder = root ?? (await tempRoot());
  await writeMcpJson(folder, mcpJson);
  const project = await openTestProject(folder);
  const served = await startProgram([cliFile, 'mcp', 'serve'], {
    cwd: folder,
    env: gatewayEnv(folder, env),
    ...options,
  });
  return { ...served, root: folder, project };
}

/** The same without a process, for what does not depend on one. */
export async function servedHere(
  mcpJson: object,
  options: ClientOptions & { readonly root?: string } = {},
): Promise<Omit<Served, 'pid'> & { readonly root: string; readonly project: Project }> {
  const { client, root, project } = await gatewayAgent(mcpJson, options);
  return { ...calling(client), root, project };
}
