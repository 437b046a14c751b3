// Fetches a nats-server that is new enough, for the tests of logs on a server: Debian 13's package, unpacked into
// node_modules/.cache/nats-server. Needs apt-get and dpkg, of Debian 12 or newer, and no rights. Does nothing where there is one.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findNatsServer, installedNats } from '../test/helpers/nats-binary.ts';

const SUITE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const DEFAULT_MIRROR = 'http://deb.debian.org/debian';
/** The network may be slow. */
const LIMIT_MS = 5 * 60_000;

const run = promisify(execFile);

try {
  const there = findNatsServer();
  if (there === undefined) await install();
  console.log(
    there === undefined ? `The server is installed: ${installedNats}` : `The server is there: ${there}`,
  );
} catch (error) {
  const reason = error instanceof Error ? error.message.trim() : String(error);
  console.error(`Cannot fetch nats-server with apt-get: ${reason}`);
  console.error(
    'Name one in NATS_SERVER, 2.10.23 or newer: the tests of logs on a server are skipped without it',
  );
  process.exitCode = 1;
}

async function install(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-nats-install-'));
  try {
    for (const name of ['lists/partial', 'cache/archives/partial', 'unpacked'])
      await mkdir(join(folder, name), { recursive: true });
    await writeFile(
      join(folder, 'sources.list'),
      `deb [signed-by=${KEYRING}] ${await mirror()} ${SUITE} main\n`,
    );
    // Lists and caches of its own: those of the machine are of another suite, and need rights.
    await writeFile(
      join(folder, 'apt.conf'),
      [
        `Dir::State::Lists "${folder}/lists";`,
        `Dir::Cache "${folder}/cache";`,
        `Dir::Etc::sourcelist "${folder}/sources.list";`,
        'Dir::Etc::sourceparts "-";',
        'APT::Sandbox::User "root";',
      ].join('\n'),
    );
    const options = {
      cwd: folder,
      timeout: LIMIT_MS,
      env: { ...process.env, APT_CONFIG: join(folder, 'apt.conf') },
    };
    await run('apt-get', ['update'], options);
    await run('apt-get', ['download', 'nats-server'], options);
    const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.deb'));
    await run('dpkg', ['-x', archive, 'unpacked'], options);
    await mkdir(dirname(installedNats), { recursive: true });
    // Copied beside it first: two installations at once do not get into each other's way.
    const copy = `${installedNats}.${process.pid}`;
    await copyFile(join(folder, 'unpacked/usr/sbin/nats-server'), copy);
    await rename(copy, installedNats);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The archive of Debian that this machine uses. */
async function mirror(): Promise<string> {
  const sources = await readFile('/etc/apt/sources.list.d/debian.sources', 'utf8').catch(() => '');
  return /^URIs:\s*(\S+\/debian\/?)\s*$/m.exec(sources)?.[1] ?? DEFAULT_MIRROR;
}
