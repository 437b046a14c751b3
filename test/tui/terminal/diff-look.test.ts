import { expect, it } from 'vitest';
import { diffLooks } from '../../../src/tui/terminal/diff-look.ts';

/** The part of red, green and blue of a colour, each 0 to 1, as terminals have it where it is one of 256. */
function partsOf(color: string): number[] {
  const [, rgb] = /^#([0-9a-f]{6})$/.exec(color) ?? [];
  if (rgb) return (rgb.match(/../g) ?? []).map((part) => parseInt(part, 16) / 255);
  const number = Number(/^ansi256\((\d+)\)$/.exec(color)?.[1]);
  const steps = [0, 95, 135, 175, 215, 255];
  const at = number - 16;
  return [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => (steps[step] ?? NaN) / 255);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map((part) =>
    part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** How much one colour stands out from another, 1 to 21, as WCAG has it. */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const grounds = (['dark', 'light', 'quiet dark', 'quiet light'] as const).flatMap((theme) =>
  Object.entries<{ readonly color: string; readonly backgroundColor?: string }>(diffLooks[theme]).map(
    // What has no ground of its own stands on that of a dark terminal.
    ([line, { color, backgroundColor = '#1e1e1e' }]) => ({ theme, line, color, backgroundColor }),
  ),
);

it.each(grounds)('a line of a difference can be read on its ground: $theme, $line', (look) => {
  expect(contrast(look.color, look.backgroundColor)).toBeGreaterThanOrEqual(7);
});

it('whole lines have no ground where the darkest one of 256 colours would glare, and the words that differ have', () => {
  const { added, removed, addedWord, removedWord } = diffLooks.dark;
  for (const line of [added, removed]) expect(line).not.toHaveProperty('backgroundColor');
  for (const word of [addedWord, removedWord])
    expect(luminance(word.backgroundColor ?? '')).toBeLessThan(0.1);
});
