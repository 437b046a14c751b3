import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { StdioTransport } from '../../../src/mcp/transport/stdio-transport.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { serverFile } from '../support/mcp-process.ts';

const MIB = 1024 * 1024;
const ping = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
const reply = (id: number, bytes: number) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { x: 'x'.repeat(bytes) },
});

/** A client that reads what is sent to it only when told to. */
async function stuckClient() {
  const stdin = new PassThrough();
  const taken: string[] = [];
  let isReading = false;
  let go = () => {};
  const stdout = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      go = () => {
        taken.push(chunk.toString());
        done();
      };
      if (isReading) go();
    },
  });
  const transport = new StdioTransport({ stdin, stdout, onLeft: () => {} });
  const seen: number[] = [];
  await transport.start();
  onTestFinished(() => transport.close());
  const read = () => {
    isReading = true;
    go();
  };
  return { stdin, stdout, transport, seen, taken, read };
}

describe('a client that does not read', () => {
  it('is not listened to beyond 4 MiB, and gets everything in order when it reads', async () => {
    const { stdin, stdout, transport, seen, taken, read } = await stuckClient();
    transport.onmessage = (message) => {
      if (!('id' in message) || typeof message.id !== 'number') return;
      seen.push(message.id);
      void transport.send(reply(message.id, MIB));
    };
    const all = Array.from({ length: 60 }, (_, id) => id);
    stdin.write(all.map(ping).join(''));
    await vi.waitFor(() => expect(stdin.isPaused()).toBe(true));
    expect(stdout.writableLength).toBeLessThan(6 * MIB);
    read();
    await vi.waitFor(() => expect(taken).toHaveLength(all.length));
    expect(seen).toEqual(all);
    expect(stdin.isPaused()).toBe(false);
  });

  it('has so many requests worked on at once that their replies find room', async () => {
    const { stdin, transport, seen, read } = await stuckClient();
    read();
    transport.onmessage = (message) => {
      if ('id' in message && typeof message.id === 'number') seen.push(message.id);
    };
    stdin.write(Array.from({ length: 40 }, (_, id) => ping(id)).join(''));
    await vi.waitFor(() => expect(seen).toHaveLength(16));
    await transport.send(reply(3, 1));
    expect(seen).toHaveLength(17);
    // Those that wait for somebody keep no other from being heard.
    await vi.waitFor(() => expect(seen).toHaveLength(40), { timeout: 5_000 });
  });

  it('gets an error for a result of a call under way that finds more than 64 MiB before it', async () => {
    const { transport, taken, read } = await stuckClient();
    const sent = [1, 2, 3].map((id) => transport.send(reply(id, 40 * MIB)));
    await expect(sent[2]).rejects.toThrow(/^the client leaves 83,886,\d+ bytes unread$/);
    read();
    await Promise.allSettled(sent);
    await vi.waitFor(() => expect(taken).toHaveLength(3));
    expect(JSON.parse(taken[2] ?? '')).toMatchObject({
      id: 3,
      error: { code: -32603, message: expect.stringContaining('Cannot send the result: the client leaves') },
    });
  });

  it.runIf(process.platform === 'linux')(
    'costs the server a limited amount of memory',
    async () => {
      const root = await tempRoot();
      const child = spawn(process.execPath, [serverFile], {
        cwd: root,
        env: { PATH: process.env['PATH'], CLIFFORD_MCP_CLARIFICATION: '' },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      child.stdin.on('error', () => undefined);
      const { pid = 0 } = child;
      const initialize = {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'stuck', version: '1' },
        },
      };
      const list = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`;
      child.stdin.write(`${JSON.stringify(initialize)}\n`);
      await once(child.stdout, 'readable');
      const before = rssOf(pid);
      // As they are answered, more than 100 MB.
      child.stdin.write(Array.from({ length: 10_000 }, (_, at) => list(at + 1)).join(''));
      await untilIdle(pid);
      expect(child.stdin.writableLength + child.stdout.readableLength).toBeGreaterThan(0);
      expect(rssOf(pid) / before).toBeLessThan(3);
    },
    60_000,
  );
});

/** In kB. */
function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Until a process that had something to do has used no time for a while. */
async function untilIdle(pid: number): Promise<void> {
  const used = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
  let last = '';
  let quiet = 0;
  await vi.waitFor(
    () => {
      const now = used();
      quiet = now === last ? quiet + 1 : 0;
      last = now;
      expect(quiet).toBeGreaterThan(12);
    },
    { timeout: 50_000, interval: 50 },
  );
}
