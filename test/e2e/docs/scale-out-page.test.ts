import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { findNatsServer, HOW_TO_GET_NATS } from '../../helpers/nats-binary.ts';
import { freePorts } from '../../helpers/free-ports.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const root = join(import.meta.dirname, '../../..');
const demo = join(root, '.clifford/events.jsonl');
const page = await readFile(join(root, 'docs/scale-out.md'), 'utf8');
/** The configuration of a server of a cluster, as it is printed. */
const [, printed = ''] = /```text\n(# nats-server\.conf\nserver_name: one\n[^`]*)```/.exec(page) ?? [];
const program = findNatsServer('cluster');

/** Starts the server of a configuration file, until the test is finished. */
function startServer(file: string): ChildProcess {
  const server = spawn(program ?? '', ['-c', file], { stdio: 'ignore' });
  onTestFinished(() => stopServer(server));
  return server;
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

const names = ['one', 'two', 'three'];

/** Three servers, each with the configuration that the page prints and `more` at the places it names. They are started by their files. */
async function threeServers(more: { readonly server?: string; readonly cluster?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-cluster-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 }));
  const cwd = await tempRoot();
  await writeConfig(join(cwd, 'clifford.json'), { log: { replicas: 3, mirror: false } });
  const users = ['--worker', 'build-1', '--human', 'ann', '--auditor', 'eve'];
  const accounts = await clifford(['log', 'access', 'my-project', '--keys', folder, ...users], { cwd });
  await writeFile(join(folder, 'my-project.conf'), accounts.out);
  const ports = await freePorts(6);
  const files = await Promise.all(
    names.map(async (name, index) => {
      const text = names
        .reduce(
          (all, each, n) => all.replace(`nats-route://${each}:6222`, `nats-route://127.0.0.1:${ports[n]}`),
          printed.replace('server_name: one', `server_name: ${name}`),
        )
        .replaceAll('0.0.0.0', '127.0.0.1')
        .replace('/var/lib/nats', join(folder, name))
        .replace('port: 4222', `port: ${ports[3 + index]}\n${more.server ?? ''}`)
        .replace('port: 6222', `port: ${ports[index]}\n${more.cluster ?? ''}`);
      const file = join(folder, `${name}.conf`);
      await writeFile(file, text);
      return file;
    }),
  );
  const servers = ports.slice(3).map((port) => `127.0.0.1:${port}`);
  const keyed = (who: string, env: Readonly<Record<string, string>> = {}) => ({
    cwd,
    env: { CLIFFORD_LOG_NKEY: join(folder, `my-project.${who}.nk`), ...env },
  });
  return { folder, files, servers: servers.join(','), keyed };
}

/** A certificate for this machine, which signs itself: the files, as a configuration of a server names them. */
async function selfSigned() {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const named = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '1',
    ...named,
  ];
  execFileSync('openssl', [...args, '-out', cert, '-keyout', key], { stdio: 'ignore' });
  return { cert, tls: `tls { cert_file: "${cert}", key_file: "${key}", ca_file: "${cert}" }` };
}

describe.skipIf(program === undefined)(
  `three servers as the page prints them${program === undefined ? ` (skipped: ${HOW_TO_GET_NATS})` : ''}`,
  () => {
    it(
      'keep a log for its users, also while one of them is away, and where one is lost for good',
      { timeout: 180_000 },
      async () => {
        const { folder, files, servers, keyed } = await threeServers();
        const [first, second] = files.map(startServer);
        const url = `nats://${servers}/my-project`;
        const as = (who: string, ...args: string[]) => clifford([...args, '--log', url], keyed(who));
        const verified = async (who: string) => (await as(who, 'replay', '--verify')).out;
        const copied = async () => (await as('human.ann', 'log', 'copy', demo, url)).code;
        await expect.poll(copied, { timeout: 60_000 }).toBe(0);
        const seen = async () => (await clifford(['doctor', '--log', url], keyed('auditor.eve'))).out;
        await expect.poll(seen, { timeout: 60_000 }).toContain('kept on 3 servers: ');

        if (first) await stopServer(first);
        await as('worker.build-1', 'ask', '--question', 'Which port?', '--wait', '1');
        const before = await verified('auditor.eve');
        expect(await seen()).toContain('kept on 3 servers, of which 1 is away or without all of it: ');
        expect(before).toMatch(/: 3\d events in 2 streams, chain, schemas and legality hold/);

        await rm(join(folder, 'one'), { recursive: true, force: true });
        startServer(files[0] ?? '');
        await expect.poll(seen, { timeout: 60_000 }).toContain('kept on 3 servers: ');
        if (second) await stopServer(second);
        await expect.poll(() => verified('human.ann'), { timeout: 60_000 }).toBe(before);
      },
    );

    it.skipIf(spawnSync('openssl', ['version']).status !== 0)(
      'keep it over encrypted links, to users and to each other',
      async () => {
        const { cert, tls } = await selfSigned();
        const { files, servers, keyed } = await threeServers({ server: tls, cluster: tls });
        files.map(startServer);
        const url = `tls://${servers}/my-project`;
        const as = (who: string, ...args: string[]) => clifford(args, keyed(who, { CLIFFORD_LOG_CA: cert }));
        const copied = async () => (await as('human.ann', 'log', 'copy', demo, url)).code;
        await expect.poll(copied, { timeout: 60_000 }).toBe(0);
        expect((await as('auditor.eve', 'doctor', '--log', url)).out).toMatch(
          / encrypted[^]*kept on 3 servers/,
        );
        const stranger = await clifford(['replay', '--verify', '--log', url], keyed('human.ann'));
        expect(stranger.code).not.toBe(0);
        expect(stranger.err).toMatch(/self[- ]signed certificate/);
      },
    );
  },
);

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it.skipIf(!hasSystemd).each(['clifford-log', 'clifford-worker'])(
  'the unit %s of the page is one that systemd takes (skipped: without systemd-analyze)',
  async (name) => {
    const folder = await tempRoot();
    const named = page.slice(page.indexOf(`${name}.service`));
    const [, unit = ''] = /```text\n(\[Unit\][^`]*)```/.exec(named) ?? [];
    expect(unit).toContain('ExecStart=');
    const file = join(folder, `${name}.service`);
    await writeFile(file, unit.replace('/usr/sbin/nats-server', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);

describeWithNats('a backup', (server) => {
  it('of the lines of a log, or of the folder of its server, brings it back as it was', async () => {
    const cwd = await tempRoot();
    const url = `nats://${server.address}/my-project`;
    const run = (...args: string[]) => clifford(args, { cwd });
    const ask = (question: string) => run('ask', '--question', question, '--wait', '1', '--log', url);
    const verified = async () => (await run('replay', '--verify', '--log', url)).out;
    const backup = join(cwd, 'backup/events.jsonl');
    await run('log', 'copy', demo, url);
    await run('log', 'copy', url, backup);
    await ask('Which port?');
    expect((await run('log', 'copy', url, backup)).out).toMatch(/^copied 2 events of 1 stream /);
    const before = await verified();
    await server.kill();
    const copy = join(cwd, 'copy');
    await cp(server.folder, copy, { recursive: true });

    await server.start();
    await ask('And which host?');
    expect(await verified()).not.toBe(before);
    await server.kill();
    await rm(server.folder, { recursive: true });
    await cp(copy, server.folder, { recursive: true });
    await server.start();
    expect(await verified()).toBe(before);

    await server.removeStream('clifford-events-my-project');
    expect(await verified()).toContain('0 events');
    expect((await run('log', 'copy', backup, url)).code).toBe(0);
    expect(await verified()).toBe(before);
  });
});
