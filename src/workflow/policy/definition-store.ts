import { statSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../lib/digest.ts';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { ownText } from '../../lib/files/plain-file.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { writeOwn } from '../../lib/files/write-own.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';

/** Longest definition that is read, in bytes. */
const MAX_BYTES = 67_108_864;

/** The definition of a tool, as its server sent it. */
export type Definition = Readonly<Record<string, unknown>>;

/** A definition and its digest in base64url: the name of its file. */
export type NamedDefinition = { readonly digest: string; readonly definition: Definition };

/**
 * Keeps definitions of tools in `.clifford/definitions`, so that a later change can be shown. One that is
 * there already is left alone.
 *
 * @param dir - The project's `.clifford`.
 */
export async function keepDefinitions(dir: string, tools: readonly NamedDefinition[]): Promise<void> {
  for (const { digest, definition } of tools) {
    const path = pathOf(dir, digest);
    makeOwnFolder(dir);
    if (!statSync(path, { throwIfNoEntry: false }))
      await writeOwn(dir, path, `${JSON.stringify(definition, null, 2)}\n`);
  }
}

/**
 * A definition that was kept. `undefined` when it is not there, or no longer what its digest says: a file
 * that somebody changed would show a human another past.
 */
export async function keptDefinition(dir: string, digest: string): Promise<Definition | undefined> {
  const value = jsonValue(ownText(pathOf(dir, digest), { maxBytes: MAX_BYTES }) ?? '');
  return isJsonObject(value) && digestOf(value) === digest ? value : undefined;
}

function pathOf(dir: string, digest: string): string {
  // base64url has neither dot nor slash. Anything else names no file of ours.
  return join(dir, 'definitions', `${digest.replaceAll(/[^A-Za-z0-9_-]/g, '')}.json`);
}
