import { matchesPattern } from './pattern.ts';

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

/** Whether a pattern fits a name. A list of characters counts as any of them. */
export function mayMean(pattern: string, name: string): boolean {
  return matchesPattern(pattern.replaceAll(/\[[^\]]*\]/g, '?'), name);
}
