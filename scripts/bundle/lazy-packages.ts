import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const plainCells = join(import.meta.dirname, '../../src/lib/text/plain-cells.ts');

/**
 * Packages that export one function, which few starts call: each takes as long to load as half a bare Node, for the
 * tables of Unicode behind its regular expressions. With what is asked before it, which answers for most texts.
 */
const packages: Readonly<Record<string, { readonly imports: string; readonly quick: string }>> = {
  // Ink asks it for the width of all that it draws, and knows no shorter way than to go through the graphemes.
  'string-width': {
    imports: `import { plainCells } from ${JSON.stringify(plainCells)};`,
    quick: 'args.length === 1 ? plainCells(args[0]) : undefined',
  },
  'wrap-ansi': { imports: '', quick: 'undefined' },
};
const PREFIX = '\0lazy:';

/** Loads such a package when its function is first called. */
export const lazyPackages: Plugin = {
  name: 'lazy-packages',
  resolveId: (source, importer) =>
    Object.hasOwn(packages, source) && !importer?.startsWith(PREFIX) ? PREFIX + source : null,
  load: (id) => {
    if (!id.startsWith(PREFIX)) return null;
    const name = id.slice(PREFIX.length);
    const { imports = '', quick = 'undefined' } = packages[name] ?? {};
    return `${imports}
let real;
export default (...args) => (${quick}) ?? (real ??= require(${JSON.stringify(name)}).default)(...args);`;
  },
};
