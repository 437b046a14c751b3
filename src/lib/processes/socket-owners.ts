import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { endianness } from 'node:os';
import { plainAddress } from '../net/plain-address.ts';
import { codeOf } from '../system-error.ts';
import { readOr } from './lock-holder.ts';
import { everyPid, readProcess } from './process-table.ts';
import { usersOf } from './process-users.ts';

/** One end of a TCP connection: an address without its zone, and a port. */
export type SocketEnd = { readonly address: string; readonly port: number };

/** A TCP connection, as the end that it is asked about sees it. */
export type Connection = { readonly local: SocketEnd; readonly remote: SocketEnd };

/** Which processes have one end of a TCP connection. */
export type SocketOwners =
  /** All whose open files can be seen; of those that were likely to have it, these alone. */
  | { readonly is: 'seen'; readonly pids: readonly number[] }
  | HiddenOwner
  /** Nobody here: it is closed, or that end is not in this namespace of networks. */
  | { readonly is: 'nobody' }
  /** The system does not say: no Linux, or no `/proc`. Or new processes come all the time: of those that were looked at, these have it. */
  | { readonly is: 'unsaid'; readonly pids: readonly number[] };

/** Somebody has it, and among no open files it is seen. */
export type HiddenOwner = {
  readonly is: 'hidden';
  /** Whose open files cannot be seen, and who are of the user whose it is. */
  readonly among: readonly number[];
  /** To whom files are under way. */
  readonly sentTo: readonly number[];
  /** That user's, too: one may keep it by other means, such as a read of a file that was closed meanwhile, or hand it on all the time. */
  readonly others: readonly number[];
};

/** Where a connection is likely to be. */
export type Likely = {
  /** The processes that are looked at first. */
  readonly pids: Iterable<number>;
  /** Where one of those has it: whether it does not matter if a process has it, too, so that it is not looked at. Default: of all others. */
  readonly isPassedOver?: (pid: number) => boolean;
};

/** What the system calls a socket, and whose it is. */
type Socket = { readonly name: string; readonly uid: string };

/** What open files lead to, by their numbers. */
type Files = ReadonlyMap<string, string>;

/** Of processes; `undefined`: they are not for this one to see. */
type Looked = Map<number, Files | undefined>;

const known = new WeakMap<Connection, Socket>();

/** So often is looked for processes that were started meanwhile. */
const MOST_LOOKS = 10;

/**
 * The processes of this machine that have one end of a TCP connection. Looks at the open files of all processes: 1 to 100 ms,
 * in which nothing else happens here; less, where one of those has it that are likely to, and some times as long where none has: threads are looked at, too. What the system calls a connection
 * is looked up once for the same object: it stays. It may be wrong where `failedReads` are more than before.
 *
 * @param likely - Who may be told at less cost. Default: nobody.
 * @param pidsNow - All processes there are. Default: as the system says.
 */
export function socketOwners(
  connection: Connection,
  likely?: Likely,
  pidsNow: () => readonly number[] = everyPid,
): SocketOwners {
  const found = known.get(connection) ?? socketOf(connection);
  if ('is' in found) return found;
  known.set(connection, found);
  const socket = found.name;
  const expected = likely && expectedOwners(socket, likely, pidsNow);
  if (expected) return { is: 'seen', pids: expected };
  const looked: Looked = new Map();
  const areAll = lookAtAll(looked, pidsNow, openFiles);
  const pids = ownersAmong(looked, socket);
  // Somebody may hand it on from one process to the next all the time.
  if (!areAll)
    return pids.length > 0 ? { is: 'unsaid', pids } : { is: 'hidden', among: [], sentTo: [], others: [] };
  if (pids.length > 0) return { is: 'seen', pids };
  const byThread = [...looked.keys()].filter((pid) => threads(pid).some((of) => has(openFiles(of), socket)));
  if (byThread.length > 0) return { is: 'seen', pids: byThread };
  const now = socketOf(connection);
  if ('is' in now) return now;
  // That one is gone, and another one has come in its place.
  if (now.name !== socket) return { is: 'nobody' };
  return hiddenAmong(looked, found.uid);
}

/** Those who have a socket where a likely one has, but those that do not matter. `undefined`: none of them has it, or that cannot be said. */
function expectedOwners(
  socket: string,
  { pids, isPassedOver }: Likely,
  pidsNow: () => readonly number[],
): readonly number[] | undefined {
  const having = [...pids].filter((pid) => has(openFiles(pid), socket));
  if (having.length === 0) return undefined;
  if (!isPassedOver) return having;
  const looked: Looked = new Map();
  const areAll = lookAtAll(looked, pidsNow, (pid) => (isPassedOver(pid) ? undefined : openFiles(pid)));
  return areAll ? [...new Set([...having, ...ownersAmong(looked, socket)])] : undefined;
}

function ownersAmong(looked: Looked, socket: string): number[] {
  return [...looked].filter(([, files]) => has(files, socket)).map(([pid]) => pid);
}

/** Looks at the open files of all processes; `false`: there are always more. */
function lookAtAll(
  looked: Looked,
  pidsNow: () => readonly number[],
  look: (pid: number) => Files | undefined,
): boolean {
  for (let looks = 1; looks < MOST_LOOKS; looks += 1) {
    const started = pidsNow().filter((pid) => !looked.has(pid));
    if (started.length === 0) return true;
    for (const pid of started) looked.set(pid, look(pid));
  }
  return pidsNow().every((pid) => looked.has(pid));
}

/** Who may have what is seen among no open files. */
function hiddenAmong(looked: Looked, uid: string): HiddenOwner {
  const seen = [...looked].flatMap(([pid, files]) => (files ? [pid] : []));
  const among = [...looked.keys()].filter((pid) => !looked.get(pid) && mayHide(pid, uid));
  const sentTo = seen.filter(hasFilesUnderWay);
  const others = seen.filter((pid) => usersOf(pid)?.includes(uid));
  return { is: 'hidden', among, sentTo, others };
}

/** How a process that has this end names it among its open files, and the user that made it. */
function socketOf(connection: Connection): Socket | Exclude<SocketOwners, { is: 'seen' | 'hidden' }> {
  const isSaid: boolean[] = [];
  // Each takes the system milliseconds to write, however few connections there are.
  for (const table of ['tcp', 'tcp6']) {
    const text = readOr('', () => readFileSync(`/proc/net/${table}`, 'utf8'));
    const found = socketIn(text, connection);
    if (found) return found;
    isSaid.push(text !== '');
  }
  return isSaid.includes(true) ? { is: 'nobody' } : { is: 'unsaid', pids: [] };
}

/** What the open files of a process, or of a thread, lead to, by their numbers. `undefined`: that is not for this one to see. */
function openFiles(of: number | string): Map<string, string> | undefined {
  const folder = `/proc/${of}/fd`;
  return readOr(undefined, () => new Map(readdirSync(folder).map((fd) => [fd, leadsTo(`${folder}/${fd}`)])));
}

/** The threads of a process beside its first: any may have open files of its own (unshare(2), `CLONE_FILES`). */
function threads(pid: number): string[] {
  const tids = readOr([], () => readdirSync(`/proc/${pid}/task`));
  return tids.filter((tid) => tid !== String(pid)).map((tid) => `${pid}/task/${tid}`);
}

/** Whether files were sent to a process, maybe by itself, that it has not received: until then they are nobody's open files. */
function hasFilesUnderWay(pid: number): boolean {
  const sockets = new Map<string, string>();
  // Most threads have the same ones.
  for (const of of [String(pid), ...threads(pid)])
    for (const [fd, to] of openFiles(of) ?? [])
      if (to.startsWith('socket:')) sockets.set(to, `/proc/${of}/fdinfo/${fd}`);
  return [...sockets.values()].some((path) =>
    /^scm_fds:\s*[1-9]/m.test(readOr('', () => readFileSync(path, 'utf8'))),
  );
}

/** Whether a process hides its open files that runs as a user, or has: a socket is of who made it. One that has ended has none. */
function mayHide(pid: number, uid: string): boolean {
  const users = usersOf(pid);
  const entry = readProcess(pid);
  return entry !== undefined && !entry.isDead && (users === undefined || users.includes(uid));
}

function has(files: ReadonlyMap<string, string> | undefined, socket: string): boolean {
  return files !== undefined && [...files.values()].includes(socket);
}

/** Where an open file of a process leads; `''`: it is closed by now. */
function leadsTo(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    // Of a process of the same user in another namespace they can be counted, and no more.
    if (['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
    return '';
  }
}

/**
 * `sl local_address rem_address st …`, addresses as hexadecimal `ADDRESS:PORT`, the user seventh and the inode ninth behind `sl`:
 * 0, where no process has the socket any more.
 */
function socketIn(text: string, { local, remote }: Connection): Socket | undefined {
  const [here, there] = [endText(local), endText(remote)];
  for (const line of text.split('\n').slice(1)) {
    const [, from = '', to = '', , , , , uid = '', , inode] = line.trim().split(/\s+/);
    // Decoding an address takes more than reading its port.
    if (portOf(from) !== local.port || portOf(to) !== remote.port || inode === '0') continue;
    if (endText(endIn(from)) === here && endText(endIn(to)) === there)
      return { name: `socket:[${inode}]`, uid };
  }
  return undefined;
}

function endText({ address, port }: SocketEnd): string {
  return `${plainAddress(address)} ${port}`;
}

function endIn(text: string): SocketEnd {
  const words = text.slice(0, text.lastIndexOf(':')).match(/[0-9A-F]{8}/g) ?? [];
  // Each 32 bits are written as a number of this machine.
  const bytes = words.flatMap((word) => {
    const four = [...Buffer.from(word, 'hex')];
    return endianness() === 'LE' ? four.toReversed() : four;
  });
  return { address: addressOf(bytes), port: portOf(text) };
}

function addressOf(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  return Buffer.from(bytes)
    .toString('hex')
    .replaceAll(/.{4}(?!$)/g, '$&:');
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}
