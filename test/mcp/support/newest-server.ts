import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { fixtureProgram } from '../../helpers/fixture-program.ts';

/** A server over HTTP that speaks the revision 2026-07-28. */
export type NewestServer = {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Resolves when it has said these words. */
  readonly untilSaid: (words: string) => Promise<void>;
};

/** Starts the fixture behind a URL; resolves when it listens. It is killed with the test. */
export async function startNewest({
  args = [],
  port = 0,
}: { args?: string[]; port?: number } = {}): Promise<NewestServer> {
  const program = fixtureProgram('mcp-servers/newest.ts');
  const child = spawn(process.execPath, [program, 'http', String(port), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const untilSaid = async (words: string) => {
    while (!said.includes(words)) await once(child.stderr, 'data');
  };
  await untilSaid('listening on port');
  const [, listening = ''] = /listening on port (\d+)/.exec(said) ?? [];
  return {
    url: `http://127.0.0.1:${listening}/mcp`,
    port: Number(listening),
    child,
    untilSaid,
  };
}
