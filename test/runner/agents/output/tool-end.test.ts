import { describe, expect, it } from 'vitest';
import { exitCodeText, toolFailed } from '../../../../src/runner/agents/output/tool-end.ts';

describe('why a tool call failed', () => {
  it.each([
    ['the first that says anything', [undefined, ' ', 'no such file', 'exit code 1'], 'no such file'],
    [
      'the parts of a message',
      [[{ type: 'text', text: 'no\n' }, { type: 'image' }, { text: 'way' }]],
      'no way',
    ],
    ['an exit code', [exitCodeText(3)], 'exit code 3'],
  ])('is %s', (_title, told, why) => {
    expect(toolFailed('1', ...told)).toEqual({ is: 'tool-end', id: '1', isError: true, why });
  });

  it.each([[[]], [[7, { text: 'no list' }, null]], [[exitCodeText(0)]]])('is not said by %j', (told) => {
    expect(toolFailed('1', ...told)).toEqual({ is: 'tool-end', id: '1', isError: true });
  });

  it('is cut when it is long', () => {
    expect(toolFailed('1', 'x'.repeat(500))).toMatchObject({ why: `${'x'.repeat(199)}…` });
  });
});
