import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Replaced by the build; unknown when the sources run as they are. */
declare const CLIFFORD_VERSION: string | undefined;

/** The version of this package, as in its `package.json`. */
export const version: string =
  typeof CLIFFORD_VERSION === 'string'
    ? CLIFFORD_VERSION
    : versionOfSources(new URL('../package.json', import.meta.url));

function versionOfSources(manifest: URL): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}
