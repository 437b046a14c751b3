import { readFileSync } from 'node:fs';

/** Replaced by the build; unknown when the sources run as they are. */
declare const CLIFFORD_VERSION: string | undefined;

/** The version of this package, as in its `package.json`. */
export const version: string =
  typeof CLIFFORD_VERSION === 'string'
    ? CLIFFORD_VERSION
    : versionOfSources(new URL('../package.json', import.meta.url));

function versionOfSources(manifest: URL): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return version;
}
