import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configSchema } from './config-schema.ts';
import type { Config } from './config-schema.ts';

/** Where a project's configuration is looked for. */
export type ConfigPlace = {
  /** The project's root, absolute. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * Reads the configuration of a project as it is now: `clifford.json`, the user's own file, defaults.
 * Cheap enough to be asked anew whenever a value is needed, so that a change counts at once.
 */
export async function loadConfig({ root }: ConfigPlace): Promise<Config> {
  const text = await readFile(join(root, 'clifford.json'), 'utf8').catch(() => '{}');
  return configSchema.parse(JSON.parse(text));
}
