import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, it, onTestFinished } from 'vitest';
import { clifford, cliFile, startClifford } from '../../helpers/clifford-process.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { serverFile } from '../../mcp/support/mcp-process.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { readStream } from '../../helpers/web-stream.ts';

/** A server that is away is waited for so long before anybody is told, and a little. */
const AWAY = { timeout: 60_000 };
const away = /the connection (?:is|was) lost|the server does not answer/;

describeWithNats('whoever looks on while the server of the log is away', (server) => {
  /** A project whose log is on the server. */
  async function place(): Promise<string> {
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a'] });
    await writeConfig(join(root, 'clifford.json'), {
      log: { url: `nats://${server.address}/${randomUUID()}` },
    });
    return root;
  }

  it('is told so, with of when it is what is shown, and that by itself no more', async () => {
    const [cwd, empty] = [await place(), await place()];
    onTestFinished(async () => {
      if (server.pid === undefined) await server.start();
    });
    expect((await clifford(['ask', '--question', 'Which port?', '--wait', '1'], { cwd })).code).toBe(3);
    const screens = [
      openPty(process.execPath, [cliFile], { cwd }),
      openPty(process.execPath, [cliFile], { cwd: empty }),
      openPty(process.execPath, [cliFile, 'attach', 'demo'], { cwd }),
    ];
    for (const { see, kill } of screens) {
      onTestFinished(kill);
      await see('? help');
    }
    const watching = startClifford(['questions', '--watch'], { cwd });
    await watching.printed(/Which port\?/);
    const serving = startClifford(['serve', '--port', '0', '--json'], { cwd });
    const { url, token } = JSON.parse(String(await serving.printed(/^\{.*\}$/m))) as {
      url: string;
      token: string;
    };
    const page = await readStream({ port: Number(new URL(url).port), token });
    await expect.poll(() => page.last('state')?.questions.length).toBe(1);
    expect(page.last('state')).not.toHaveProperty('stale');

    await server.kill();
    await expect
      .poll(() => page.last('state')?.stale, AWAY)
      .toEqual({
        why: expect.stringMatching(away),
        since: expect.stringMatching(/^2/),
      });
    await watching.warned(/note: .*What you see is of \d\d:\d\d; it goes on by itself\n/);
    for (const { see } of screens) await see('What you see is of');
    // Whoever asks is not kept waiting for it.
    const headers = { authorization: `Bearer ${token}` };
    const state = await (await fetch(`${url}api/state`, { headers })).json();
    expect(state).toMatchObject({ stale: { why: expect.stringMatching(away) } });

    await server.start();
    await expect.poll(() => page.last('state')?.stale, AWAY).toBeUndefined();
    await watching.warned(/note: The log can be read again\n/);
    for (const { lose } of screens) await lose('What you see is of');
  });

  it('and an agent that is started meanwhile has its tools, soon', async () => {
    const cwd = await place();
    await server.kill();
    const agent = new Client({ name: 'agent', version: '1' });
    onTestFinished(async () => {
      await agent.close();
      await server.start();
    });
    const env = { PATH: process.env['PATH'] ?? '', CLIFFORD_PROJECT_ROOT: cwd, CLIFFORD_RUN_ID: 'r1' };
    await agent.connect(
      new StdioClientTransport({ command: process.execPath, args: [serverFile], cwd, env }),
    );
    const { tools } = await agent.listTools({}, { timeout: 10_000 });
    expect(tools.map(({ name }) => name)).toContain('request_help');
  });

  it('and whoever answers is told that it is not recorded', async () => {
    const cwd = await place();
    expect((await clifford(['ask', '--question', 'Which port?', '--wait', '0'], { cwd })).code).toBe(3);
    await server.kill();
    onTestFinished(async () => {
      if (server.pid === undefined) await server.start();
    });
    const away =
      /^clifford: Cannot answer last: it is not recorded, the log is away: Cannot connect to nats:/;
    const answering = () => clifford(['answer', 'last', '8080'], { cwd });
    expect(await answering()).toMatchObject({ code: 1, out: '', err: expect.stringMatching(away) });
    await server.start();
    expect((await clifford(['questions'], { cwd })).out).toContain('Which port?');
    expect(await answering()).toMatchObject({ code: 0, err: '' });
  });

  it('and no command waits for ever for one that says nothing; tokens of the page are ended without it', async () => {
    const cwd = await place();
    expect((await clifford(['ask', '--question', 'Which port?', '--wait', '0'], { cwd })).code).toBe(3);
    expect((await clifford(['serve', 'token', 'add', 'phone'], { cwd })).code).toBe(0);
    const { pid = 0 } = server;
    process.kill(pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(pid, 'SIGCONT'));
    // As processes of their own: a socket that is left open keeps one from ending.
    const status = startClifford(['status'], { cwd });
    const revoking = startClifford(['serve', 'token', 'revoke', 'phone'], { cwd });
    expect(await status.ended).toMatchObject({ code: 1, err: expect.stringContaining('does not answer') });
    expect(await revoking.ended).toMatchObject({ code: 0, out: expect.stringContaining('phone') });
  });
});
