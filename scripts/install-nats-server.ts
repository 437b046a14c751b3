// Fetches what the tests of logs on a server need: Debian 13's nats-server, and a newer one for clusters, which lose events with
// that. Unpacked into node_modules/.cache/nats-server. Needs apt-get and dpkg, of Debian 12 or newer, and no rights. Leaves what
// is there.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findNatsServer, HOW_TO_GET_NATS, installedNats, type NatsUse } from '../test/helpers/nats-binary.ts';

/** Of Debian. */
const SUITES: Readonly<Record<NatsUse, string>> = { one: 'trixie', cluster: 'forky' };
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const DEFAULT_MIRROR = 'http://deb.debian.org/debian';
/** The network may be slow. */
const LIMIT_MS = 5 * 60_000;

const run = promisify(execFile);

for (const use of ['one', 'cluster'] as const)
  try {
    if (findNatsServer(use) === undefined) await install(use);
    const program = findNatsServer(use);
    if (program === undefined) throw new Error(`that of Debian ${SUITES[use]} is too old`);
    console.log(`${use === 'one' ? 'The server' : 'The server for clusters'} is there: ${program}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    console.error(`Cannot fetch nats-server with apt-get: ${reason}`);
    console.error(`Tests are skipped without it: ${HOW_TO_GET_NATS}`);
    process.exitCode = 1;
  }

async function install(use: NatsUse): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-nats-install-'));
  try {
    for (const name of ['lists/partial', 'cache/archives/partial', 'unpacked'])
      await mkdir(join(folder, name), { recursive: true });
    await writeFile(
      join(folder, 'sources.list'),
      `deb [signed-by=${KEYRING}] ${await mirror()} ${SUITES[use]} main\n`,
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
    const installed = installedNats[use];
    await mkdir(dirname(installed), { recursive: true });
    // Copied beside it first: two installations at once do not get into each other's way.
    const copy = `${installed}.${process.pid}`;
    await copyFile(join(folder, 'unpacked/usr/sbin/nats-server'), copy);
    await rename(copy, installed);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The archive of Debian that this machine uses. */
async function mirror(): Promise<string> {
  const sources = await readFile('/etc/apt/sources.list.d/debian.sources', 'utf8').catch(() => '');
  return /^URIs:\s*(\S+\/debian\/?)\s*$/m.exec(sources)?.[1] ?? DEFAULT_MIRROR;
}
