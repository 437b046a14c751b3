import { serve } from '../mcp/server/serve.ts';
import { stopBetweenTurns } from './run/stop-between-turns.ts';

/** Serves Clifford's tools over the standard streams, and its question files beside them. */
export async function serveMcp(): Promise<void> {
  stopBetweenTurns();
  await serve({
    // Imported late: not needed to answer `initialize`.
    companion: async (place) => (await import('../signals/serve-signals.ts')).serveSignals(place),
  });
}
