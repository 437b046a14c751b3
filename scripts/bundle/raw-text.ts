import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

const RAW = '?raw';

/** A file that is imported with `?raw` behind its name is a module that exports its text, as Vite has it. */
export const rawText: Plugin = {
  name: 'raw-text',
  resolveId: {
    filter: { id: /\?raw$/ },
    handler: (source, importer) => (importer === undefined ? null : join(dirname(importer), source)),
  },
  load: {
    filter: { id: /\?raw$/ },
    handler: async (id) => ({
      code: `export default ${JSON.stringify(await readFile(id.slice(0, -RAW.length), 'utf8'))};`,
      moduleType: 'js',
    }),
  },
};
