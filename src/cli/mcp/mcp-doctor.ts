import type { Cli } from '../cli.ts';
import { checkLines, isBroken } from '../doctor/check-lines.ts';
import { exitCodes } from '../exit-codes.ts';
import { examineMcp } from './examine-mcp.ts';
import { findMcpPlace } from './mcp-place.ts';
import { withServers } from './with-servers.ts';

/** Checks everything that the servers of `mcp.json` need, and starts and stops each of them. */
export async function mcpDoctor(cli: Cli, { json }: { json?: true }): Promise<void> {
  const place = await findMcpPlace(cli);
  if (place.trust.is === 'trusted' && place.reading.servers.length > 0)
    cli.hint('checking, and starting the servers …');
  const checks = await withServers(cli, place, ({ manager }) => examineMcp(place, { env: cli.env, manager }));
  if (!checks) return;
  const ok = !isBroken(checks);
  if (!ok) cli.endWith(exitCodes.failed);
  if (json) return cli.printJson({ ok, checks });
  cli.printLines(checkLines(cli, checks));
}
