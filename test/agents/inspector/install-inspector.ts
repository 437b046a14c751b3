import { join } from 'node:path';
import { installPinned } from '../../../scripts/install-pinned.ts';

const here = import.meta.dirname;

/** How long an installation may take, in ms: it is 110 MB, and the machine may be slow. */
export const INSTALL_MS = 5 * 60_000;

/** Installs the inspector beside this file, unless it is there. Returns the program of its command line. */
export async function installInspector(): Promise<string> {
  await installPinned(here, { limitMs: INSTALL_MS, args: ['--ignore-scripts'] });
  return join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
}
