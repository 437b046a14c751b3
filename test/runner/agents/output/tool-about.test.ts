import { describe, expect, it } from 'vitest';
import { toolAbout } from '../../../../src/runner/agents/output/tool-about.ts';

describe('a few words on a tool call', () => {
  it.each([
    [{ description: 'Lists', command: 'ls\n  -l' }, 'ls -l'],
    [{ content: 'x', file_path: '/p/a.txt' }, '/p/a.txt'],
    [{ cmd: ['bash', '-c', 'ls'] }, 'bash -c ls'],
    [{ depth: 2, mode: 'fast' }, 'fast'],
    ['plain', 'plain'],
    [{ depth: 2 }, ''],
    [undefined, ''],
  ])('%j is about %j', (args, about) => {
    expect(toolAbout(args)).toBe(about);
  });

  it('are cut when they are many', () => {
    expect(toolAbout({ command: 'x'.repeat(500) })).toBe(`${'x'.repeat(99)}…`);
  });
});
