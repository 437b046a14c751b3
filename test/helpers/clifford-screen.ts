import console from 'node:console';
import { realpath } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';
import type { CliPlace } from '../../src/cli/cli.ts';
import { adasEnvironment, loadProgram } from './clifford-process.ts';
import { openScreen, type OwnScreen, type ScreenSize } from './pty-screen.ts';

/** A command at a terminal in the process of the tests. */
export type CliffordScreen = OwnScreen & {
  /** Its exit code, when it has ended. */
  readonly exited: Promise<number>;
};

/**
 * Runs the built `clifford` at a terminal, by a person called Ada, in the process of the tests. What the terminal itself
 * does is for {@link openPty}: its modes, and signals. A command that still waits when the test is finished hears that
 * nobody types any more.
 */
export function openClifford(
  args: readonly string[],
  { cwd, env = {}, ...size }: ScreenSize & { cwd: string; env?: Readonly<Record<string, string>> },
): CliffordScreen {
  const own = openScreen(size);
  const { stdin, stdout } = own;
  // Ink makes a console like Node's, which that of the tests is not.
  vi.stubGlobal('console', console);
  const run = async () => {
    const main = await loadProgram();
    const folder = await realpath(cwd);
    const whole = adasEnvironment({ CI: '', TERM: 'xterm-256color', ...env });
    const place = { stdin, stdout, stderr: stdout, env: whole, cwd: () => folder };
    const code = await main(args, place as unknown as CliPlace);
    await own.shown();
    return code;
  };
  const exited = run();
  onTestFinished(async () => {
    stdin.push(null);
    await exited;
    vi.unstubAllGlobals();
  });
  return { ...own, exited };
}
