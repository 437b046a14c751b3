import { expect, it } from 'vitest';
import { unfenced } from '../../../src/views/text/unfenced.ts';

it('code is shown without its fences, the last of which may be cut off', () => {
  expect(unfenced('See:\n```diff\n-a\n+b\n```\nand\n~~~\nc\n~~~')).toBe('See:\n-a\n+b\nand\nc');
  expect(unfenced('````\n```\nin it\n```\n````')).toBe('```\nin it\n```');
  expect(unfenced('```diff\n-a')).toBe('-a');
  expect(unfenced('a ``` b')).toBe('a ``` b');
});
