import { fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { fixtureProgram } from '../../helpers/fixture-program.ts';

const program = fixtureProgram('processes/signal-server.ts');

/** A process that serves the files of a project. */
export type SignalProcess = {
  /** Resolves when its code is loaded. */
  readonly ready: Promise<unknown>;
  /** What it reported. */
  readonly reported: readonly string[];
  /** Ends it without a chance to clean up. */
  readonly kill: () => Promise<void>;
  /** Asks it to end, and waits until it has. */
  readonly leave: () => Promise<void>;
};

/** Starts one; as the user `uid`, if that is given, with `env` besides what the tests have. It is ended with the test. */
export function startSignalProcess(
  root: string,
  { uid, env }: { uid?: number; env?: Readonly<Record<string, string>> } = {},
): SignalProcess {
  const child = fork(program, [root, ...(uid === undefined ? [] : [String(uid)])], {
    execArgv: [],
    cwd: root,
    env: { ...process.env, ...env },
  });
  const reported: string[] = [];
  const ready = once(child, 'message');
  // The first message is that it is ready.
  child.once('message', () => child.on('message', (line: string) => reported.push(line)));
  const exit = once(child, 'exit');
  const end = async (how: () => void) => {
    if (child.exitCode === null && child.signalCode === null) how();
    await exit;
  };
  const kill = () => end(() => child.kill('SIGKILL'));
  onTestFinished(kill);
  return {
    ready,
    reported,
    kill,
    leave: async () => {
      await Promise.race([ready, exit]);
      await end(() => child.disconnect());
    },
  };
}
