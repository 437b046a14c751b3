import { readFileSync } from 'node:fs';
import { isJsonObject } from './lib/json/json-object.ts';

/** Replaced by the build; unknown when the sources run as they are. */
declare const CLIFFORD_VERSION: string | undefined;

/** The version of this package, as in its `package.json`. */
export const version: string =
  typeof CLIFFORD_VERSION === 'string'
    ? CLIFFORD_VERSION
    : versionOfSources(new URL('../package.json', import.meta.url));

// By hand: a schema would be loaded by every command, also where the build has left nothing for it to check.
function versionOfSources(manifest: URL): string {
  const read: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
  if (isJsonObject(read) && typeof read['version'] === 'string') return read['version'];
  throw new Error(`${manifest.pathname} names no version`);
}
