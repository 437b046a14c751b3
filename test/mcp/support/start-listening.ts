import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** A program that listens on a port, and says so on stderr. */
export type Listening = {
  readonly child: ChildProcess;
  /** All that it has said. */
  readonly said: () => string;
  /** Resolves when it has said these words. */
  readonly untilSaid: (words: string) => Promise<void>;
};

/** Starts a program of Node; resolves when it has said these words. It is killed with the test. */
export async function startListening(
  args: readonly string[],
  words: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Listening> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const untilSaid = async (wanted: string) => {
    while (!said.includes(wanted)) await once(child.stderr, 'data');
  };
  await untilSaid(words);
  return { child, said: () => said, untilSaid };
}
