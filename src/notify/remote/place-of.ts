import { sha256 } from '../../lib/digest.ts';

/** A digest of where messages go: of the service, its server, and which bot, chat or address it is there. */
export function placeOf(...parts: readonly string[]): string {
  return sha256(JSON.stringify(parts)).slice(0, 16);
}
