import { join } from 'node:path';
import { inject } from 'vitest';

/** The file to start for a program of test/fixtures, e.g. `agents/ask.ts`: bundled, so that it loads none of our sources. */
export function fixtureProgram(source: string): string {
  return join(inject('fixtures'), source.replace(/\.ts$/, '.mjs'));
}
