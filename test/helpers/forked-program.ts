import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Starts a program that says when it is ready, and ends when it is let go of; that is when the test is finished. */
export async function forkedProgram(program: string, args: readonly string[]): Promise<ChildProcess> {
  const child = fork(program, args, { execArgv: [] });
  onTestFinished(async () => {
    const exit = once(child, 'exit');
    child.disconnect();
    await exit;
  });
  await once(child, 'message');
  return child;
}
