import type { Plugin } from 'rolldown';

/**
 * Packages that export one function, which few starts call: each takes as long to load as half a bare Node, for the
 * tables of Unicode behind its regular expressions.
 */
const names = ['string-width', 'wrap-ansi'];
const PREFIX = '\0lazy:';

/** Loads such a package when its function is first called. */
export const lazyPackages: Plugin = {
  name: 'lazy-packages',
  resolveId: (source, importer) =>
    names.includes(source) && !importer?.startsWith(PREFIX) ? PREFIX + source : null,
  load: (id) => {
    if (!id.startsWith(PREFIX)) return null;
    const name = JSON.stringify(id.slice(PREFIX.length));
    return `let real; export default (...args) => (real ??= require(${name}).default)(...args);`;
  },
};
