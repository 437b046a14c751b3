import type { SupportedVersions } from './agent-adapter.ts';

/** The first version number in a text: `2.1.330` of `2.1.330 (Claude Code)`. `undefined`: there is none. */
export function versionIn(text: string): string | undefined {
  return /(?<!\d)\d+\.\d+\.\d+/.exec(text)?.[0];
}

/** Whether a version lies in the range an adapter was verified with. */
export function isSupported(version: string, { from, below }: SupportedVersions): boolean {
  return compareVersions(version, from) >= 0 && compareVersions(version, below) < 0;
}

/** Below 0: `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const at = left.findIndex((number, index) => number !== (right[index] ?? 0));
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return [0, 1, 2].map((index) => Number(version.split('.')[index] ?? 0));
}
