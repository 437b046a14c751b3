import { CastTail } from './cast-tail.ts';
import { TextTail } from './text-tail.ts';

/** Reads a transcript while it grows. Each call gives what came since the last one. */
export type TranscriptTail = { readonly read: () => string };

/**
 * @param path - Absolute, as `agent.started` names it; the file need not be there yet.
 * @param backlogBytes - As much is read of what was written before.
 */
export function tailTranscript(path: string, backlogBytes: number): TranscriptTail {
  return path.endsWith('.cast') ? new CastTail(path, backlogBytes) : new TextTail(path, backlogBytes);
}
