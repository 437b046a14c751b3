import { describe, expect, it } from 'vitest';
import { saidOfCall } from '../../../src/views/calls/said-of-call.ts';

describe('what an agent says of a call', () => {
  it('is the first of the arguments that are known to say it', () => {
    expect(saidOfCall({ command: 'ls', reason: 'r', description: 'List them' })).toEqual({
      name: 'description',
      text: 'List them',
    });
    expect(saidOfCall({ command: 'ls', description: ' ', reason: 'r' })).toEqual({
      name: 'reason',
      text: 'r',
    });
  });

  it('is as long as it may be, without blanks that set parts of it apart', () => {
    expect(saidOfCall({ description: 'a'.repeat(200) })?.text).toHaveLength(200);
    expect(saidOfCall({ description: `List them"${' '.repeat(60)}Risk: none` })?.text).toBe(
      'List them" Risk: none',
    );
  });

  it.each([
    ['it says nothing', { command: 'ls' }],
    ['it is no text', { description: ['a'] }],
    ['it has several lines', { description: 'a\nb' }],
    ['it has a return', { description: 'a\rb' }],
    ['it is long', { description: 'a'.repeat(201) }],
    ['it is long as it is shown', { description: `a${'\u200B'.repeat(60)}` }],
    ['these are no arguments by name', 'description'],
  ])('is none where %s', (_why, args) => {
    expect(saidOfCall(args)).toBeUndefined();
  });
});
