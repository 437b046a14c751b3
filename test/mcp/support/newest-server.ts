import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { startListening, type Listening } from './start-listening.ts';

/** A server over HTTP that speaks the revision 2026-07-28. */
export type NewestServer = Pick<Listening, 'child' | 'untilSaid'> & {
  readonly url: string;
  readonly port: number;
};

/** Starts the fixture behind a URL; resolves when it listens. It is killed with the test. */
export async function startNewest({
  args = [],
  port = 0,
}: { args?: string[]; port?: number } = {}): Promise<NewestServer> {
  const program = fixtureProgram('mcp-servers/newest.ts');
  const server = await startListening([program, 'http', String(port), ...args], 'listening on port');
  const [, listening = ''] = /listening on port (\d+)/.exec(server.said()) ?? [];
  return { ...server, url: `http://127.0.0.1:${listening}/mcp`, port: Number(listening) };
}
