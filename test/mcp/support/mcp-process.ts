import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { logEnv } from '../../helpers/log-env.ts';

/** What agents start. `npm test` builds it first. */
export const serverFile = join(import.meta.dirname, '../../../dist/mcp-entry.js');

export type Exit = { readonly code: number | null; readonly signal: string | null };

/** A server process of its own, spoken to over its standard streams, as an agent does. */
export class McpProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Every byte it wrote to stdout. */
  readonly #stdout: Buffer[] = [];
  readonly #exit: Promise<[number | null, string | null]>;
  stderr = '';

  constructor(child: McpProcess['child']) {
    this.child = child;
    child.stdout.on('data', (bytes: Buffer) => this.#stdout.push(bytes));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // What it no longer reads is of no interest to a test that ended it.
    child.stdin.on('error', () => undefined);
    this.#exit = once(child, 'close').then(([code, signal]: unknown[]) => [
      typeof code === 'number' ? code : null,
      typeof signal === 'string' ? signal : null,
    ]);
  }

  /** Everything it said, as JSON-RPC. Throws on a byte that is not. */
  messages(): JSONRPCMessage[] {
    const text = Buffer.concat(this.#stdout).toString('utf8');
    if (text !== '' && !text.endsWith('\n')) throw new Error(`stdout ends within a line: ${text.slice(-80)}`);
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSONRPCMessageSchema.parse(JSON.parse(line)));
  }

  write(...messages: JSONRPCMessage[]): void {
    this.child.stdin.write(messages.map(serializeMessage).join(''));
  }

  /** Does something that should end it, and says how it ended. */
  async exitAfter(end: () => void): Promise<Exit> {
    end();
    const [code, signal] = await this.#exit;
    return { code, signal };
  }

  /** An MCP client on its other end. */
  async connect(): Promise<{
    client: Client;
    call: (name: string, args: object) => Promise<CallToolResult>;
  }> {
    const client = new Client({ name: 'agent', version: '1.0.0' });
    await client.connect(this.#transport());
    const call = (name: string, args: object) => {
      const result = client
        .callTool({ name, arguments: { ...args } })
        .then((answer) => CallToolResultSchema.parse(answer));
      // A test that fails before it looks at the result has said why: that the call ended with its server is no news.
      result.catch(() => undefined);
      return result;
    };
    return { client, call };
  }

  #transport(): Transport {
    const buffer = new ReadBuffer();
    const transport: Transport = {
      start: async () => {
        this.child.stdout.on('data', (bytes: Buffer) => {
          buffer.append(bytes);
          for (let message = buffer.readMessage(); message; message = buffer.readMessage()) {
            transport.onmessage?.(message);
          }
        });
        void this.#exit.then(() => transport.onclose?.());
      },
      send: async (message) => this.write(message),
      close: async () => {
        this.child.stdin.end();
      },
    };
    return transport;
  }
}

/**
 * Starts a server for the project in `root`. It is killed with the test if it is still there. `before`: what stands
 * before the file where `node` is another program.
 */
export function startServer(
  root: string,
  {
    env = {},
    node = process.execPath,
    before = [],
  }: { env?: object; node?: string; before?: readonly string[] } = {},
): McpProcess {
  const { PATH, TMPDIR, CLIFFORD_TEST_RUN } = process.env;
  const child = spawn(node, [...before, serverFile], {
    cwd: root,
    env: { PATH, TMPDIR, CLIFFORD_TEST_RUN, ...logEnv(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return new McpProcess(child);
}

let lastId = 0;

/** A request, with an id of its own. */
export function request(method: string, params: Record<string, unknown> = {}): JSONRPCMessage {
  lastId += 1;
  return { jsonrpc: '2.0', id: lastId, method, params };
}
