/** Longer patterns are written by nobody who means one short name, in UTF-16 units. */
const MAX_PATTERN_LENGTH = 64;

/** A part of a path that begins as a hidden name does. */
const hiddenPart = /(?<![^\s/\\'"`=:;,|&<>(){}])\.[^\s/\\'"`=:;,|&<>(){}]*/g;

/**
 * The parts of paths in a text that a shell may read as a hidden name: `.cl*` for `.clifford`. What is all wildcards, such
 * as the `.*` of a regular expression, is meant only where something below it is named.
 */
export function hiddenPatternsIn(text: string): string[] {
  const patterns = new Set<string>();
  for (const { 0: pattern, index } of text.matchAll(hiddenPart)) {
    const isBare = !/[^.*?]/.test(pattern) && text[index + pattern.length] !== '/';
    if (pattern.length <= MAX_PATTERN_LENGTH && /[*?[]/.test(pattern) && !isBare) patterns.add(pattern);
  }
  return [...patterns];
}

/** Whether a pattern fits a name. In time that grows with the product of both lengths, and no faster. A list of characters counts as any of them. */
export function mayMean(pattern: string, name: string): boolean {
  /** How much of the name may be read so far. */
  let read = new Set([0]);
  for (const [part] of pattern.matchAll(/\[[^\]]*\]|\*+|[^]/g)) {
    const next = new Set<number>();
    for (const length of read)
      if (part.startsWith('*')) for (let end = length; end <= name.length; end += 1) next.add(end);
      else if (length < name.length && (part === '?' || part.length > 1 || part === name[length]))
        next.add(length + 1);
    read = next;
  }
  return read.has(name.length);
}
