import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasProcessTable, ownPid } from '../../../src/lib/processes/process-table.ts';
import { socketOwners } from '../../../src/lib/processes/socket-owners.ts';

/** A connection of this process to itself, as its end that connected sees it. */
async function connection(host: string) {
  const server = createServer().listen(0, '::');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, host);
  const [accepted] = (await once(server, 'connection')) as [ReturnType<typeof connect>];
  onTestFinished(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = accepted;
  return {
    local: { address: remoteAddress, port: remotePort },
    remote: { address: localAddress, port: localPort },
  };
}

/** Looks for all processes, and for a connection: once more when no other file can be opened. Prints whether that is told each time. */
const withoutFiles = (modules: readonly string[]) => `
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { connect, createServer } from 'node:net';
const [{ socketOwners }, { failedReads }, { everyPid }] = await Promise.all(${JSON.stringify(modules)}.map((module) => import(module)));
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const socket = connect(server.address().port, '127.0.0.1');
await once(socket, 'connect');
const connection = {
  local: { address: socket.localAddress, port: socket.localPort },
  remote: { address: socket.remoteAddress, port: socket.remotePort },
};
const looks = [everyPid, () => socketOwners(connection, { pids: [process.pid] }, () => [])];
for (const look of looks) look();
const before = failedReads();
try { for (;;) openSync('/dev/null'); } catch {}
const failed = looks.map((look) => { const from = failedReads(); look(); return failedReads() > from; });
console.log(JSON.stringify([before, ...failed]));
process.exit(0);
`;

describe.runIf(hasProcessTable)('the owner of a connection', () => {
  it.each(['127.0.0.1', '127.0.0.9', '::1'])('is found by both of its addresses: %s', async (host) => {
    const found = await connection(host);
    expect(socketOwners(found)).toEqual({ is: 'seen', pids: [ownPid()] });
    for (const address of ['127.0.0.77', '::2'])
      expect([
        socketOwners({ ...found, local: { ...found.local, address } }),
        socketOwners({ ...found, remote: { ...found.remote, address } }),
      ]).toEqual([{ is: 'nobody' }, { is: 'nobody' }]);
  });

  it('is looked for where it is likely to be, and everywhere else where it is not there', async () => {
    const found = await connection('127.0.0.1');
    // A child has open what is handed to it alone.
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    onTestFinished(() => void child.kill());
    await once(child, 'spawn');
    const other = child.pid ?? 0;
    for (const pids of [[ownPid()], [other], [other, ownPid()]])
      expect(socketOwners(found, { pids })).toEqual({
        is: 'seen',
        pids: [ownPid()],
      });
    for (const pids of [[ownPid()], []])
      expect(socketOwners({ ...found, local: { ...found.local, address: '::2' } }, { pids })).toEqual({
        is: 'nobody',
      });
  });

  it('may be somebody else where files could not be opened, which is counted', async () => {
    const modules = ['socket-owners', 'proc-file', 'process-table'].map(
      (name) => new URL(`../../../src/lib/processes/${name}.ts`, import.meta.url).href,
    );
    const script = ['--input-type=module', '--eval', withoutFiles(modules)];
    const limited = ['-c', 'ulimit -n 200 && exec "$0" "$@"', process.execPath, ...script];
    const { stdout } = await promisify(execFile)('sh', limited);
    expect(stdout).toBe('[0,true,true]\n');
  });

  it('is who was found by then, or in doubt, where new processes come all the time', async () => {
    const found = await connection('127.0.0.1');
    // Above all that the system gives.
    const newOnes = (old: readonly number[]) => {
      let last = 2 ** 30;
      return () => [(last += 1), ...old];
    };
    expect(socketOwners(found, undefined, newOnes([ownPid()]))).toEqual({ is: 'unsaid', pids: [ownPid()] });
    expect(socketOwners(found, undefined, newOnes([]))).toMatchObject({ is: 'hidden', among: [] });
  });
});
