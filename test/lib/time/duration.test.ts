import { describe, expect, it } from 'vitest';
import { duration, spanText, waitedText } from '../../../src/lib/time/duration.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe('a time that was measured', () => {
  it.each([
    [0.4, '0 ms'],
    [999, '999 ms'],
    [999.6, '1 s'],
    [4_240, '4.2 s'],
    [42 * second, '42 s'],
    [59_600, '1 min 0 s'],
    [minute, '1 min 0 s'],
    [199_600, '3 min 20 s'],
    [2 * hour + 5 * minute, '2 h 5 min'],
  ])('of %d ms reads %s', (ms, text) => expect(duration(ms)).toBe(text));
});

describe('a time that somebody waits', () => {
  it.each([
    [-5, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [minute, '1 min'],
    [hour - 1, '59 min'],
    [2 * hour, '2 h'],
    [2 * hour + 5 * minute, '2 h 5 min'],
    [50 * hour, '2 d'],
  ])('of %d ms reads %s', (ms, text) => expect(waitedText(ms)).toBe(text));
});

describe('a time that somebody has set', () => {
  it.each([
    [250, '250 ms'],
    [minute, '60 s'],
    [90 * second, '90 s'],
    [10 * minute, '10 min'],
    [hour, '60 min'],
    [4 * hour, '4 h'],
  ])('of %d ms reads %s', (ms, text) => expect(spanText(ms)).toBe(text));
});
