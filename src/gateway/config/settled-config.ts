import { setTimeout as sleep } from 'node:timers/promises';
import { loadMcpConfig, type McpConfigPlace } from './load-mcp-config.ts';
import type { McpConfigReading } from './mcp-config-reading.ts';

/** How long an editor may take between emptying a file and filling it, in ms. */
const BEING_WRITTEN_MS = 250;

/** The same as {@link loadMcpConfig}; a file that cannot be read may be about to be written, and is read a second time. */
export async function loadSettledConfig(place: McpConfigPlace): Promise<McpConfigReading> {
  const told: string[] = [];
  const first = await loadMcpConfig({ ...place, report: (line) => told.push(line) });
  if (!isBroken(first)) {
    if (place.report) for (const line of told) place.report(line);
    return first;
  }
  await sleep(BEING_WRITTEN_MS);
  return loadMcpConfig(place);
}

/** Nothing of the file can be used. */
export function isBroken({ exists, policy, shown }: McpConfigReading): boolean {
  return exists && shown.length === 0 && 'unreadable' in policy;
}
