import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A connection to a program that speaks the Agent Client Protocol. */
export type AcpConnection = {
  /** Sends a request, and resolves when it is answered. */
  readonly request: (method: string, params: object) => Promise<void>;
  /** Closes its stdin, and resolves when it has exited. */
  readonly close: () => Promise<void>;
};

/** Starts a program to speak with. */
export function connectAcp(
  argv: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): AcpConnection {
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const waiting = new Map<number, () => void>();
  let lastId = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message: unknown = JSON.parse(line);
    if (typeof message !== 'object' || message === null || !('id' in message)) return;
    waiting.get(Number(message.id))?.();
    waiting.delete(Number(message.id));
  });
  return {
    request: (method, params) => {
      const id = (lastId += 1);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return promise;
    },
    close: async () => {
      child.stdin.end();
      await exit;
    },
  };
}
