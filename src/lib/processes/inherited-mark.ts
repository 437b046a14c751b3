import { findExecutable } from './find-executable.ts';
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

/**
 * The command that starts a program with the mark: by `prlimit`, which becomes that program, 1 ms later. The command as
 * it is, where there is no Linux, no `prlimit` or no such program, and where this process is limited itself: what
 * it starts is, too.
 */
export function withMark(command: Command, place: Parameters<typeof findExecutable>[1]): Command {
  if (!hasProcessTable || isMarked(ownPid())) return command;
  const prlimit = findPrlimit();
  const file = findExecutable(command.file, place);
  return prlimit && file
    ? { file: prlimit, args: [`--locks=${LIMIT}`, '--', file, ...command.args] }
    : command;
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
  if (!findPrlimit()) return 'there is no prlimit';
  const [, capabilities] = /^CapEff:\s*([0-9a-f]+)$/m.exec(readProcFile(ownPid(), 'status') ?? '') ?? [];
  const mayLift = capabilities !== undefined && (BigInt(`0x${capabilities}`) & MAY_LIFT) !== 0n;
  return mayLift ? 'who runs this may lift limits (CAP_SYS_RESOURCE)' : undefined;
}

function findPrlimit(): string | undefined {
  return findExecutable('prlimit', PRLIMIT);
}
