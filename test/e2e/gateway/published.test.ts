import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { McpServerConfig } from '../../../src/gateway/config/server-config.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import {
  failureOf,
  program,
  published,
  remote,
  startManager,
  textOf,
} from '../../mcp/support/gateway-servers.ts';
import {
  everythingAt,
  freePort,
  startEverything,
  startEverythingAt,
} from '../../mcp/support/published-server.ts';

const transports = [
  { transport: 'stdio', start: async () => program(published.everything) },
  { transport: 'http', start: async () => remote(await startEverything('http')) },
  { transport: 'sse', start: async () => remote(await startEverything('sse'), { transport: 'sse' }) },
] satisfies { transport: string; start: () => Promise<McpServerConfig> }[];

describe.each(transports)('the published server "everything" over $transport', ({ transport, start }) => {
  it('is initialised, listed, called and reports progress', async () => {
    const { manager } = await startManager();
    await manager.connect(await start());

    expect(manager.states()).toMatchObject([
      {
        id: 'it',
        transport,
        health: 'ready',
        restarts: 0,
        server: { protocol: '2025-11-25', name: expect.stringContaining('everything') as string },
      },
    ]);
    expect(manager.getTools('it').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-env', 'trigger-long-running-operation']),
    );
    expect(textOf(await manager.callTool('it', 'echo', { message: 'hello' }))).toBe('Echo: hello');
    await expect(manager.list('it', 'resources')).resolves.not.toEqual([]);
    await expect(manager.list('it', 'prompts')).resolves.not.toEqual([]);
    const seen: unknown[] = [];
    await manager.callTool(
      'it',
      'trigger-long-running-operation',
      { duration: 0.2, steps: 2 },
      {
        onProgress: ({ progress }) => seen.push(progress),
      },
    );
    expect(seen).toEqual([1, 2]);
  });
});

describe('a published server behind a URL that is killed in mid-call', () => {
  it.each(['http', 'sse'] as const)(
    'costs that call, and is reached again when it is back: %s',
    async (transport) => {
      const port = await freePort();
      const first = await startEverythingAt(port, transport);
      const { manager } = await startManager({ limits: { firstDelayMs: 10_000_000 } });
      await manager.connect(remote(everythingAt(port, transport), { transport }));
      const progress = Promise.withResolvers<void>();
      const call = manager.callTool(
        'it',
        'trigger-long-running-operation',
        { duration: 600, steps: 60_000 },
        {
          onProgress: () => progress.resolve(),
        },
      );
      const lost = failureOf(call);
      await progress.promise;
      first.kill('SIGKILL');
      await once(first, 'exit');
      expect(await lost).toMatchObject({ code: 'SERVER_LOST' });
      await expect.poll(() => manager.states()).toMatchObject([{ health: 'down' }]);
      await expect(manager.callTool('it', 'echo', { message: 'early' })).rejects.toThrow(
        'Cannot reach the MCP server it: it cannot be reached (',
      );
      await startEverythingAt(port, transport);
      expect(textOf(await manager.callTool('it', 'echo', { message: 'back' }))).toBe('Echo: back');
    },
  );
});

describe('the published server "filesystem"', () => {
  it('stays in the folder it was given, since it is offered no others', async () => {
    const root = await tempRoot();
    const folder = join(root, 'allowed');
    await mkdir(folder);
    await writeFile(join(folder, 'note.txt'), 'a note');
    const { manager } = await startManager({
      answerServer: async () => ({ roots: [{ uri: 'file:///etc' }] }),
    });
    await manager.connect(program(published.filesystem, { args: [folder] }));

    const read = (path: string) => manager.callTool('it', 'read_text_file', { path });
    expect(textOf(await read(join(folder, 'note.txt')))).toBe('a note');
    await expect(read('/etc/passwd')).resolves.toMatchObject({ isError: true });
    await expect(read(join(folder, '../../../../etc/passwd'))).resolves.toMatchObject({ isError: true });
  });
});
