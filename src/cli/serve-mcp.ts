import { serve } from '../mcp/serve.ts';

/** Serves Clifford's tools over the standard streams, and its question files beside them. */
export async function serveMcp(): Promise<void> {
  await serve({
    // Imported late: not needed to answer `initialize`.
    companion: async (place) => (await import('../signals/serve-signals.ts')).serveSignals(place),
  });
}
