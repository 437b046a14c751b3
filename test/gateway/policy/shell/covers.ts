import type { ShellWord } from '../../../../src/gateway/policy/shell/command-reading.ts';

/** Whether a command with words that are not known may have been started with these. */
export function covers(words: readonly ShellWord[], started: readonly string[]): boolean {
  const [first, ...others] = words;
  if (words.length === 0) return started.length === 0;
  if (first !== undefined) return first === started[0] && covers(others, started.slice(1));
  // None, or several.
  return Array.from({ length: started.length + 1 }, (_, taken) => started.slice(taken)).some((rest) =>
    covers(others, rest),
  );
}
