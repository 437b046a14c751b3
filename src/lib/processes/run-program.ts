import { runGroup, type GroupEnd, type GroupStart } from './run-group.ts';

/** How a program ended, and what it printed. */
export type ProgramEnd = GroupEnd & {
  readonly out: string;
  readonly err: string;
};

/** Most that is kept of each channel, in bytes: what is asked here is answered in a line or two. */
const MAX_BYTES = 64 * 1024;

/** Runs a program with an empty stdin and keeps what it prints. Nothing it has started is left when it returns. */
export async function runProgram(
  file: string,
  args: readonly string[],
  place: Pick<GroupStart, 'cwd' | 'env' | 'signal' | 'limitMs'>,
): Promise<ProgramEnd> {
  const printed = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const sizes = { stdout: 0, stderr: 0 };
  const end = await runGroup({
    ...place,
    file,
    args,
    onOutput: (channel, chunk) => {
      const kept = chunk.subarray(0, MAX_BYTES - sizes[channel]);
      sizes[channel] += kept.length;
      printed[channel].push(kept);
    },
  });
  return {
    ...end,
    out: Buffer.concat(printed.stdout).toString('utf8'),
    err: Buffer.concat(printed.stderr).toString('utf8'),
  };
}
