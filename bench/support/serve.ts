import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** A page that is served, as a program of its own. */
export type Served = {
  readonly pid: number;
  /** Of the page, with the token that lets one in. */
  readonly address: string;
  /** What a request to it has in common with all others. */
  readonly at: {
    readonly host: string;
    readonly port: string;
    readonly headers: Readonly<Record<string, string>>;
  };
  /** What the page follows: everything, and a sprint as well where one is named. It flows, and nobody keeps it. */
  readonly openStream: (sprint?: string) => Promise<IncomingMessage>;
  readonly stop: () => void;
};

/** Serves the page of a project. Needs a build. */
export async function serve(root: string, env: Readonly<Record<string, string>>): Promise<Served> {
  const dist = join(import.meta.dirname, '../../dist/cli.js');
  const program = spawn(process.execPath, [dist, 'serve', '--port', '0', '--json'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { value: line } = await createInterface(program.stdout)[Symbol.asyncIterator]().next();
  const { url, token } = z.object({ url: z.string(), token: z.string() }).parse(JSON.parse(String(line)));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const at = { host: '127.0.0.1', port: new URL(url).port, headers };
  return {
    pid: program.pid ?? 0,
    address: `${url}#t=${token}`,
    at,
    openStream: async (sprint) => {
      const query = sprint === undefined ? '' : `?sprint=${sprint}`;
      const sending = request({ ...at, path: `/api/events${query}`, agent: false }).end();
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      // One that has to be closed by the server is no end of the whole.
      for (const each of [sending, response]) each.on('error', () => undefined);
      return response.resume();
    },
    stop: () => program.kill('SIGTERM'),
  };
}
