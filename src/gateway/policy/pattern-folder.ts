/** A name that is written out. */
const literal = /^\.?[\p{L}\p{N}_-][\p{L}\p{N} ._-]*$/u;
/** One that begins with what can stand for no dot, since wildcards leave out what is hidden. */
const withWildcards =
  /^(?:[\p{L}\p{N}_*?[-]|\{[\p{L}\p{N}_*-][^{},]*(?:,[\p{L}\p{N}_*-][^{},]*)*\})[^\p{Cc}\\$`()|%~]*$/u;
const wildcard = /[*?[\]{}]/;

/**
 * The folder that a pattern of names stays in, whatever it fits: what stands before its first wildcard. `undefined`: it has
 * none, or may lead up, elsewhere, or to what is hidden.
 */
export function folderOfPattern(pattern: string): string | undefined {
  const names = pattern.split('/');
  const first = names.findIndex((name) => wildcard.test(name));
  const rest = names.slice(first);
  const staysBelow = rest.every((name) => literal.test(name) || withWildcards.test(name) || name === '');
  if (first < 0 || !staysBelow) return undefined;
  return first === 0 ? '.' : names.slice(0, first).join('/') || '/';
}
