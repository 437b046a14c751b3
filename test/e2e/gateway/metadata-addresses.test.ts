import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { cliFile } from '../../helpers/clifford-process.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const PORT = 8080;
const offLimits = [
  '169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '::169.254.169.254',
  'fd00:ec2::254',
];
const harmless = '10.9.8.7';

/** Gives this machine, as its namespace sees it, addresses and names. Nothing of it leaves the namespace. */
const settings = [
  'ip link set lo up',
  ...[...offLimits, harmless].map((address) =>
    address.includes(':')
      ? `ip -6 address add ${address}/128 dev lo nodad`
      : `ip address add ${address}/32 dev lo`,
  ),
  'mount --bind "$HOSTS" /etc/hosts',
].join('\n');
const canUnshare = spawnSync('unshare', ['-Urnm', 'sh', '-c', 'ip link set lo up']).status === 0;

it.skipIf(!canUnshare)(
  'nothing is connected to where clouds keep secrets, by no form of the address and by no name',
  async () => {
    const root = await tempRoot();
    const hosts = join(root, 'hosts');
    await writeFile(
      hosts,
      '127.0.0.1 localhost\n169.254.169.254 by-name.example\nfd00:ec2::254 by-name6.example\n',
    );
    const urls = [
      ...[...offLimits, harmless].map((address) => (address.includes(':') ? `[${address}]` : address)),
      '0xa9fea9fe',
      '2852039166',
      'by-name.example',
      'by-name6.example',
    ].map((host) => `http://${host}:${PORT}/mcp`);
    const servers = Object.fromEntries(
      urls.map((url, at) => [`s${at}`, { url, transport: 'http', allowInsecure: true }]),
    );
    await writeFile(join(root, 'mcp.json'), JSON.stringify({ servers }));
    const command = [process.execPath, cliFile, 'mcp', 'list', '--json'];
    const { stdout } = await promisify(execFile)(
      'unshare',
      [
        '-Urnm',
        'sh',
        '-ec',
        `${settings}
exec "$@"`,
        'sh',
        process.execPath,
        fixtureProgram('processes/network-of-its-own.ts'),
        String(PORT),
        ...command,
      ],
      { cwd: root, env: { ...process.env, HOSTS: hosts, CLIFFORD_TRUST_PROJECT: '1' } },
    );
    const { reached, out } = JSON.parse(stdout) as { reached: string[]; out: string };
    // Where it may, it does.
    expect(reached, out).toEqual([`::ffff:${harmless}`]);
    expect(out).toContain('by-name.example');
  },
);
