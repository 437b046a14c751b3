import { createServer as createHttpServer, get } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { addToken } from '../../src/web/server/tokens/named-tokens.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { serveProject } from '../helpers/web-server.ts';
import { pushedBrowser } from '../notify/remote/support/push-service.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { openTestProject, tempRoot, writeSprint } from '../helpers/temp-project.ts';

const cli = join(import.meta.dirname, '../../dist/cli.js');

async function place() {
  const root = await tempRoot();
  await writeSprint(root);
  const env = { XDG_STATE_HOME: join(root, 'state') };
  return { root, env, run: (...args: string[]) => clifford(args, { cwd: root, env }) };
}

type Place = Awaited<ReturnType<typeof place>>;

/** A server in a process of its own, and where it listens. */
async function serving({ root, env }: Pick<Place, 'root' | 'env'>) {
  const program = startClifford(['serve', '--port', '0', '--json'], { cwd: root, env });
  const [line] = await program.printed(/^\{.*\}$/m);
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const state = async (as = token) => {
    const response = await fetch(`${url}api/state`, { headers: { authorization: `Bearer ${as}` } });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { program, url, token, state, line };
}

/** What the page is answered with, called by a host. */
async function statusFor(port: number, host: string) {
  const [response] = await once(get({ port, host: '127.0.0.1', headers: { host } }), 'response');
  response.resume();
  return response.statusCode as number;
}

describeOnEachEngine('clifford serve', () => {
  it('prints one line for programs when it listens, and ends cleanly when it is told to', async () => {
    const { program, url, token, state, line } = await serving(await place());
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(await state()).toMatchObject({
      status: 200,
      body: { sprints: [{ id: 'demo', word: 'pending' }], reader: { name: 'ada' } },
    });
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/<script nonce="[\w-]+"/)]);
    const stream = await fetch(`${url}api/events`, { headers: { authorization: `Bearer ${token}` } });
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, out: `${line}\n`, err: '' });
    expect(await stream.text()).toContain('event: end\ndata: {"why":"closing"}');
  });

  it('ends with whoever started it for a program, or has closed its stdout; a closed stdin ends nothing', async () => {
    const { root, env } = await place();
    const by = ['/bin/sh', '-c', '"$@" & wait', 'sh'];
    const shell = startClifford(['serve', '--port', '0', '--json'], { cwd: root, env, by });
    await shell.printed(/^\{.*\}$/m);
    shell.kill('SIGKILL');
    // Its output ends when nobody has it open any more.
    expect(await shell.ended).toMatchObject({ err: '' });

    const { program, state } = await serving({ root, env });
    // Its stdin has been at its end since it began.
    expect(await state()).toMatchObject({ status: 200 });
    program.closeOutput();
    expect(await program.ended).toMatchObject({ code: 0 });
    const { out } = await clifford(['serve', '--help'], { cwd: root });
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      'With --json it ends with the program that started it, too',
    );
  });

  it('has a new token at each start', async () => {
    const where = await place();
    const one = await serving(where);
    one.program.kill('SIGINT');
    expect(await one.program.ended).toMatchObject({ code: 0 });
    const other = await serving(where);
    expect(other.token).not.toBe(one.token);
    expect(await other.state(one.token)).toMatchObject({
      status: 401,
      body: { error: { code: 'TOKEN_NEEDED' } },
    });
  });

  it('says in one line that a port is taken', async () => {
    const { run } = await place();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    expect(await run('serve', '--port', port)).toEqual({
      code: 2,
      signal: null,
      out: '',
      err: `clifford: Cannot listen at 127.0.0.1, port ${port}: it is in use\n  Choose another one, or 0 for any that is free: clifford serve --port 0\n`,
    });
    expect(
      await run('run', '--plain', '--web', port, '--agent-cmd', 'sleep 30', '--accept-commands'),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining('Choose another one, or 0 for any that is free: --web 0\n'),
    });
  });

  it('refuses half of TLS, and what is no port', async () => {
    const { run } = await place();
    expect(await run('serve', '--cert', 'c.pem')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--key is missing'),
    });
    expect(await run('serve', '--cert', 'c.pem', '--key', 'k.pem', '--port', '0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Cannot use c.pem for TLS: there is no such file\n'),
    });
    expect(await run('serve', '--port', '70000')).toMatchObject({
      code: 2,
      err: expect.stringContaining('0 to 65535'),
    });
  });

  it('says what it exposes to whoever asks for JSON, too', async () => {
    const { root, env } = await place();
    const program = startClifford(['serve', '--port', '0', '--host', '0.0.0.0', '--json'], {
      cwd: root,
      env,
    });
    await program.printed(/^\{"url":"http:.*\}$/m);
    await program.warned(/not encrypted/);
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, out: expect.stringMatching(/^\{.*\}\n$/) });
  });

  it.each([
    'http://box.example/page',
    'https://',
    'https://a@box.example',
    'https://box.example?a',
    'ftp://box.example',
    'box.example/page',
    'box.example/',
    'a b',
    'box.example:port',
    '...',
    'https://...',
    'box..example',
    ':::',
    '[:::]:80',
    'fe80::1%eth0',
    '1.2.3.999',
    '',
  ])('takes no name that no browser would call it by: %j', async (name) => {
    const { run } = await place();
    expect(await run('serve', '--port', '0', '--name', name)).toMatchObject({
      code: 2,
      err: expect.stringContaining('it is not a host like box.example'),
    });
  });

  it.each([
    ['4077', '0.0.15.237'],
    ['0x7f', '0.0.0.127'],
    ['https://4077:8443', '0.0.15.237'],
    ['127.1', '127.0.0.1'],
  ])('takes no name that browsers read as an address: %j is %s', async (name, address) => {
    const { run } = await place();
    expect(await run('serve', '--port', '0', '--name', name)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`: browsers read it as the address ${address}: it is no name`),
    });
  });

  it.each(['a:99999', 'a:0', '[::1]:65536', 'https://box.example:99999'])(
    'takes no name with a port that is none: %j',
    async (name) => {
      const { run } = await place();
      expect(await run('serve', '--port', '0', '--name', name)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/Cannot take .* for --name <host>: its port is none from 1 to 65535\n/),
      });
    },
  );

  it.each([
    ['BOX.example', 'box.example:<port>'],
    ['box.example.', 'box.example.:<port>'],
    ['box_1.example:080', 'box_1.example:80'],
    ['fd00:0::5', '[fd00::5]:<port>'],
    ['[fd00:0::5]:9000', '[fd00::5]:9000'],
    ['https://[fd00:0::5]:443/', '[fd00::5]'],
  ])('is called by a name as browsers send it: %s', async (name, called) => {
    const { root, env } = await place();
    const program = startClifford(['serve', '--port', '0', '--json', '--name', name], { cwd: root, env });
    const [line] = await program.printed(/^\{.*\}$/m);
    const { port } = new URL((JSON.parse(line) as { url: string }).url);
    expect(await statusFor(Number(port), called.replace('<port>', port))).toBe(200);
    expect(await statusFor(Number(port), `x${called}`)).toBe(421);
    program.kill('SIGTERM');
    await program.ended;
  });

  it.each([
    ['at all addresses', '0.0.0.0', 'box.example', 'http://box.example:<port>'],
    [
      'at this machine alone, which others come to by another name',
      '127.0.0.1',
      'box.example',
      'http://box.example:<port>',
    ],
    [
      'at this machine alone, which others come to by a tunnel',
      '127.0.0.1',
      'https://box.example/',
      'https://box.example',
    ],
  ])(
    'sends people who are elsewhere to the question that they are called for, %s',
    async (_where, host, name, origin) => {
      const { root, env } = await place();
      const told: { link?: string }[] = [];
      const board = createHttpServer((request, response) => {
        let body = '';
        request.on('data', (bytes: Buffer) => (body += bytes.toString('utf8')));
        request.on('end', () => {
          told.push(JSON.parse(body) as { link?: string });
          response.end('{}');
        });
      }).listen(0, '127.0.0.1');
      await once(board, 'listening');
      onTestFinished(() => void board.close());
      const address = board.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      await writeConfig(join(root, 'clifford.json'), {
        notify: { channels: { board: { via: 'webhook', url, after: 0 } } },
      });
      const trusting = { ...env, CLIFFORD_TRUST_PROJECT: '1' };
      const args = ['serve', '--port', '0', '--host', host, '--name', name];
      const program = startClifford(args, { cwd: root, env: trusting });
      const [, port = ''] = await program.printed(/http:\/\/(?:box\.example|127\.0\.0\.1):(\d+)\//);
      const project = await openTestProject(root);
      const { id } = await ask(project, {
        stream: 'adhoc',
        agent: { id: 'a1', client: 'codex' },
        kind: 'help',
        question: 'Which?',
      });
      await expect.poll(() => told, { timeout: 10_000 }).toHaveLength(1);
      expect(told[0]?.link).toBe(`${origin.replace('<port>', port)}/#q=${id}`);
      program.kill('SIGTERM');
      await program.ended;
    },
  );

  it('shows its address for the camera of a phone, at a terminal', async () => {
    const { root, env } = await place();
    const program = openPty(process.execPath, [cli, 'serve', '--port', '0', '--host', '0.0.0.0'], {
      cwd: root,
      env,
      columns: 120,
      rows: 60,
    });
    await program.see('The page of this project: http');
    const isCode = (line: string) => (line.match(/[▀▄█]/g) ?? []).length > 10;
    expect(await program.becomes((lines) => lines.filter(isCode).length > 10)).toBe(true);
    program.press('\u0003');
    expect(await program.exited).toBe(0);
  });

  it('says what it exposes to other machines', async () => {
    const { root, env } = await place();
    const program = startClifford(['serve', '--port', '0', '--host', '0.0.0.0'], { cwd: root, env });
    const [, address] = await program.printed(/page of this project: (http:\S+)/);
    expect(address).toMatch(/#t=[\w-]{32}$/);
    const [warning] = await program.warned(/not encrypted.*/);
    expect(warning).toContain('whoever is on the way can read the token');
    program.kill('SIGTERM');
    expect((await program.ended).err).toContain('ssh -L');
  });
});

// Tokens and browsers are a user's, and in no log.
describe('clifford serve token', () => {
  it('makes tokens of which only digests are kept, lists and revokes them', async () => {
    const { root, env, run } = await place();
    const { code, out, err } = await run('serve', 'token', 'add', 'phone', '--expires', '30d');
    expect(err).toMatch(/open the address that clifford serve prints, with #t=<the token>/);
    expect([code, out]).toEqual([0, expect.stringMatching(/^[\w-]{32}\n$/)]);
    const wall = JSON.parse(
      (await run('serve', 'token', 'add', 'wall screen', '--read-only', '--json')).out,
    ) as { token: string };
    const token = out.trim();
    const kept = await readFile(join(root, 'state', 'clifford', 'web-tokens.json'), 'utf8');
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(wall.token);
    const listed = await run('serve', 'token', 'list');
    expect(listed.out).toMatch(
      /^phone +may decide +made \d+ s ago, until \d{4}-\d\d-\d\d \d\d:\d\d\nwall screen +may only read +made \d+ s ago, until it is revoked\n$/,
    );
    expect(listed.out).not.toContain(token);

    const { state } = await serving({ root, env });
    expect(await state(token)).toMatchObject({ body: { reader: { name: 'phone', may: 'decide' } } });
    expect(await state(wall.token)).toMatchObject({ body: { reader: { name: 'wall screen', may: 'read' } } });
    expect((await run('serve', 'token', 'revoke', 'phone')).out).toBe(
      'revoked phone: pages that use it are closed\n',
    );
    expect(await state(token)).toMatchObject({ status: 401 });
    expect(await run('serve', 'token', 'revoke', 'phone')).toMatchObject({
      code: 2,
      err: expect.stringContaining('none has that name'),
    });
  });

  it('takes no name twice, and none that an agent has', async () => {
    const { run } = await place();
    await run('serve', 'token', 'add', 'phone');
    expect(await run('serve', 'token', 'add', 'phone')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is one of that name'),
    });
    expect(await run('serve', 'token', 'add', 'agent:run-1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('letters, digits'),
    });
    expect(await run('serve', 'token', 'add', 'x', '--expires', 'soon')).toMatchObject({ code: 2 });
  });

  it('is made by no agent', async () => {
    const { root, env } = await place();
    const asAgent = { cwd: root, env: { ...env, CLIFFORD_RUN_ID: 'run-1' } };
    expect(await clifford(['serve', 'token', 'add', 'mine'], asAgent)).toMatchObject({
      code: 1,
      err: expect.stringContaining('a human decides'),
    });
  });
});

describe('clifford serve push', () => {
  /** Browsers of Ada's page, and of one that was opened with the token `phone`. */
  async function pushed() {
    const { root, env, run } = await place();
    const home = { ...env, HOME: root };
    const phone = await addToken(home, root, { name: 'phone', may: 'read' });
    const { server } = await serveProject(await openTestProject(root), { env: home, by: 'ada' });
    for (const [at, token] of [server.token, phone].entries()) {
      const { subscription } = pushedBrowser('https://fcm.googleapis.com', `/secret-${at}`);
      const reply = await fetch(`${server.url}api/push`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(subscription),
      });
      expect(reply.status).toBe(200);
    }
    return { run };
  }

  it('lists the browsers that are called, without their addresses, and forgets one, or all', async () => {
    const { run } = await pushed();
    const { out } = await run('serve', 'push', 'list');
    const [, id = ''] =
      /^(\w{6}) +ada +by fcm\.googleapis\.com +since .* ago\n\w{6} +phone +by fcm\.googleapis\.com +since .* ago\n$/.exec(
        out,
      ) ?? [];
    expect(out).not.toContain('secret');
    expect(await run('serve', 'push', 'forget', id)).toMatchObject({
      out: 'forgot 1 browser: it is not notified any more\n',
    });
    expect(JSON.parse((await run('serve', 'push', 'list', '--json')).out)).toMatchObject([{ name: 'phone' }]);
    expect(await run('serve', 'push', 'forget', id)).toMatchObject({
      code: 2,
      err: expect.stringContaining('none has that id'),
    });
    await run('serve', 'push', 'forget');
    expect((await run('serve', 'push', 'list')).out).toContain('No browsers are notified');
  });

  it('those of a token go when it is revoked', async () => {
    const { run } = await pushed();
    await run('serve', 'token', 'revoke', 'phone');
    expect(JSON.parse((await run('serve', 'push', 'list', '--json')).out)).toMatchObject([{ name: 'ada' }]);
  });

  it('are forgotten by no agent', async () => {
    const { root, env } = await place();
    const asAgent = { cwd: root, env: { ...env, CLIFFORD_RUN_ID: 'run-1' } };
    expect(await clifford(['serve', 'push', 'forget'], asAgent)).toMatchObject({
      code: 1,
      err: expect.stringContaining('a human decides'),
    });
  });
});

describeOnEachEngine('clifford run --web', () => {
  it('serves the page while the sprint is run, and ends with it', async () => {
    const { root, env } = await place();
    const program = startClifford(
      ['run', '--plain', '--web', '0', '--agent-cmd', 'sleep 30', '--accept-commands'],
      { cwd: root, env },
    );
    const [, url = '', token = ''] = await program.printed(/In the browser: (http:\S+)#t=(\S+)/);
    const state = async () => {
      const response = await fetch(`${url}api/state`, { headers: { authorization: `Bearer ${token}` } });
      const { sprints } = (await response.json()) as {
        sprints: { hasRunner: boolean; runs: { is: string } }[];
      };
      return sprints[0]?.runs.is;
    };
    await expect.poll(state).toBe('running');
    const stopped = await fetch(`${url}api/sprints/demo/stop`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(stopped.status, await stopped.text()).toBe(200);
    await program.ended;
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  const running = ['run', '--plain', '--agent-cmd', 'sleep 30', '--accept-commands'];

  it('serves it to other machines, says what that exposes, and sends people there who are called', async () => {
    const { root, env } = await place();
    const args = [...running, '--web', '0', '--host', '0.0.0.0', '--name', 'box.example'];
    const program = startClifford(args, { cwd: root, env });
    const [, url = '', token = ''] = await program.printed(/In the browser: (http:\S+)#t=(\S+)/);
    expect(url).toMatch(/^http:\/\/box\.example:\d+\/$/);
    await program.warned(/not encrypted: whoever is on the way can read the token/);
    const { port } = new URL(url);
    const state = await fetch(`http://127.0.0.1:${port}/api/state`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(state.status).toBe(200);
    program.kill('SIGTERM');
    await program.ended;
  });

  it('shows its address for the camera of a phone, at a terminal, and on the screen behind /page', async () => {
    const { root, env } = await place();
    const args = ['run', '--web', '0', '--host', '0.0.0.0', '--agent-cmd', 'sleep 30', '--accept-commands'];
    const program = openPty(process.execPath, [cli, ...args], { cwd: root, env, columns: 120, rows: 60 });
    onTestFinished(async () => {
      program.hangUp();
      await program.exited;
    });
    await program.see('━━ Tasks ');
    program.press(':');
    await program.see('/status');
    program.press('/page');
    await program.see(/> +\/page/);
    program.press('\r');
    await program.see(/http:\S+#t=[\w-]{32}/);
    await program.see('what is sent is not encrypted');
    const isCode = (line: string) => (line.match(/[▀▄█]/g) ?? []).length > 10;
    expect(await program.becomes((lines) => lines.filter(isCode).length > 10)).toBe(true);
  });

  it.each([
    [['--host', '0.0.0.0'], 'Cannot use --host: no page is served'],
    [['--no-qr'], 'Cannot use --no-qr: no page is served'],
    [['--web', '0', '--cert', 'c.pem'], '--key is missing'],
  ])('refuses %j', async (more, why) => {
    const { run } = await place();
    expect(await run(...running, ...more)).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  });
});
