import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { digestOf, sha256 } from '../../lib/digest.ts';
import type { Approval } from '../../events/approval.ts';
import { jsonSchema } from '../../events/field-schemas.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { codeOf } from '../../lib/system-error.ts';
import { isShownInPart } from './shown-arguments.ts';

/** Where the sockets of one user are, whatever the environments of processes say: agents hand theirs on only in part. */
const SOCKETS_ROOT = '/tmp';

/** How long the process that made the call has to show its arguments, in ms. */
const REVEAL_MS = 2_000;

type WaitingCall = Pick<RequestState, 'id'> & { readonly asked: Pick<RequestState['asked'], 'approval'> };

/**
 * Lets other processes of this user see the whole arguments of a call that waits, while this process has it: secrets
 * are in no file. Does nothing where a human sees all of them anyway, and on Windows.
 *
 * @returns what ends it.
 */
export async function holdCall({ id, asked }: WaitingCall, args: unknown): Promise<() => void> {
  const folder = asked.approval && isShownInPart(asked.approval) ? socketFolder() : undefined;
  if (folder === undefined) return () => undefined;
  const server = createServer((socket) => {
    // Whoever asks may leave before all was said.
    socket.on('error', () => undefined);
    socket.end(JSON.stringify(args ?? null));
  });
  server.unref();
  const { promise, resolve } = Promise.withResolvers<void>();
  // Without it the human sees less, and is told so.
  server.on('error', () => resolve());
  server.listen(join(folder, `${keyOf(id)}-${process.pid}`), resolve);
  await promise;
  return () => void server.close();
}

/**
 * The arguments of a call that waits as they will run, from the process that made it. What another one says that is
 * not exactly what the human was asked about is no answer.
 *
 * @returns `undefined` where no process has the call any more.
 */
export async function wholeArguments({
  id,
  asked: { approval },
}: WaitingCall): Promise<{ readonly args: Approval['args'] } | undefined> {
  if (approval === undefined) return undefined;
  const folder = socketFolder();
  const names = folder === undefined ? [] : readdirSync(folder).filter((name) => name.startsWith(keyOf(id)));
  for (const name of names) {
    const args = await readFrom(join(folder ?? '', name));
    if (args === undefined) continue;
    if (digestOf([approval.server, approval.tool, args]) === approval.callDigest) return { args };
  }
  return undefined;
}

async function readFrom(path: string): Promise<Approval['args'] | undefined> {
  const socket = connect(path);
  socket.setTimeout(REVEAL_MS, () => socket.destroy(new Error('it does not answer')));
  try {
    return jsonSchema.safeParse(jsonValue(await text(socket))).data;
  } catch (error) {
    // Its process was killed.
    if (codeOf(error) === 'ECONNREFUSED') rmSync(path, { force: true });
    return undefined;
  }
}

/** A folder that is this user's alone. */
function socketFolder(): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  const folder = join(SOCKETS_ROOT, `clifford-${user}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === user && (found.mode & 0o077) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Short: the paths of sockets are limited to some hundred bytes. */
function keyOf(requestId: string): string {
  return sha256(requestId, 'hex').slice(0, 32);
}
