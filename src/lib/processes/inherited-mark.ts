import { spawnSync } from 'node:child_process';
import { findExecutable } from './find-executable.ts';
import { hasInterpreter } from './has-interpreter.ts';
import { readProcFile } from './proc-file.ts';
import { hasProcessTable, ownPid } from './process-table.ts';

/**
 * The most file locks that a marked process may have. Linux counts them no more (since 2.4.25), and keeps the limit: it is
 * handed down to all that a process starts, whatever becomes of its environment, session, terminal and parents, and
 * without `CAP_SYS_RESOURCE` it can be lowered and never lifted (getrlimit(2), `RLIMIT_LOCKS`).
 */
const LIMIT = 2n ** 62n;

/** A program and its arguments. */
type Command = { readonly file: string; readonly args: readonly string[] };

/** Where util-linux has it; whatever `PATH` says. */
const PRLIMIT = { cwd: '/', path: '/usr/bin:/bin:/run/current-system/sw/bin' };

/** Where programs are looked for without a `PATH`: as execvp(3) does. */
export const DEFAULT_PATH = '/bin:/usr/bin';

/**
 * The command that starts a program with the mark: by `prlimit`, which becomes that program, 1 ms later. The command as
 * it is, where there is no Linux, nothing that marks, and where this process is limited itself: what it starts is, too.
 * `undefined`: there is no such program, or none that runs it. Nothing is started then: it could be there a moment later, and have no mark.
 */
export function withMark(
  command: Command,
  { cwd, path = DEFAULT_PATH }: Parameters<typeof findExecutable>[1],
): Command | undefined {
  if (!hasProcessTable || isMarked(ownPid())) return command;
  const prlimit = findPrlimit();
  if (prlimit === undefined) return command;
  const file = findExecutable(command.file, { cwd, path });
  if (file === undefined || !hasInterpreter(file, cwd)) return undefined;
  return { file: prlimit, args: [`--locks=${LIMIT}`, '--', file, ...command.args] };
}

/** Whether a process descends from one that was started with the mark. Linux only. */
export function isMarked(pid: number): boolean {
  const [, hard] = /^Max file locks +\S+ +(\S+)/m.exec(readProcFile(pid, 'limits') ?? '') ?? [];
  return hard !== undefined && hard !== 'unlimited';
}

/** Bit 24 of a process's effective capabilities, `CAP_SYS_RESOURCE`: who has it may lift limits. */
const MAY_LIFT = 1n << 24n;

/** Why the mark does not tell here what Clifford has started, in a sentence. `undefined`: it does, or this is no Linux. */
export function markProblem(): string | undefined {
  if (!hasProcessTable) return undefined;
  if (isMarked(ownPid())) return 'the limit of file locks is set here (ulimit -x), as for what agents start';
  if (!findPrlimit()) return 'there is no prlimit that sets it';
  const [, capabilities] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readProcFile(ownPid(), 'status') ?? '') ?? [];
  const mayLift = capabilities !== undefined && (BigInt(`0x${capabilities}`) & MAY_LIFT) !== 0n;
  return mayLift ? 'who runs this may lift limits (CAP_SYS_RESOURCE)' : undefined;
}

/** The one that has set the limit in this process's time. */
let found: string | undefined;

function findPrlimit(): string | undefined {
  if (found !== undefined) return found;
  const prlimit = findExecutable('prlimit', PRLIMIT);
  if (prlimit !== undefined && canMark(prlimit)) found = prlimit;
  return found;
}

/**
 * Whether a `prlimit` sets the limit here, and becomes the program then: other programs of this name do not know it, and
 * some sandboxes, such as `gVisor`, refuse it. About 3 ms.
 *
 * @internal
 */
export function canMark(prlimit: string): boolean {
  const args = [`--locks=${LIMIT}`, '--', '/bin/sh', '-c', 'exit 7'];
  return spawnSync(prlimit, args, { stdio: 'ignore' }).status === 7;
}
