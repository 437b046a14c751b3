import { describe, expect, it } from 'vitest';
import { commandMatch, type CommandCondition } from '../../../../src/gateway/policy/shell/command-match.ts';
import type { ShellWord } from '../../../../src/gateway/policy/shell/command-reading.ts';

const strict = (condition: CommandCondition, ...words: ShellWord[]) =>
  commandMatch(condition, { words, assignments: [] }, 'strict');
const wide = (condition: CommandCondition, ...words: ShellWord[]) =>
  commandMatch(condition, { words, assignments: [] }, 'wide');

describe('"startsWith" of one command', () => {
  it('covers it word by word', () => {
    const log = { startsWith: 'git  log' };
    expect(strict(log, 'git', 'log', '-p')).toBe('yes');
    expect(strict(log, 'git', 'logout')).toBe('no');
    expect(strict(log, 'git')).toBe('no');
    expect(strict(log, 'git log')).toBe('no');
    expect(strict({ startsWith: ' ' }, 'git')).toBe('no');
  });

  it('is not sure of a word that is known only when it runs', () => {
    const log = { startsWith: 'git log' };
    expect(strict(log, 'git', undefined)).toBe('unsure');
    expect(wide(log, undefined, 'log')).toBe('unsure');
    expect(strict(log, 'git', 'log', undefined)).toBe('yes');
    expect(wide(log, 'ls', undefined)).toBe('no');
  });

  it('counts another folder, case and look for a rule that refuses only', () => {
    for (const name of ['/bin/rm', 'RM', 'ｒｍ', 'r\u200bm', 'rm.exe', './rm', 'rm\u00a0-r']) {
      expect(strict({ startsWith: 'rm' }, name)).toBe('no');
      expect(wide({ startsWith: 'rm' }, name)).toBe('yes');
    }
    expect(wide({ startsWith: '/bin/rm' }, 'rm')).toBe('yes');
    expect(wide({ startsWith: 'git push' }, 'git', 'PUSH')).toBe('yes');
    expect(wide({ startsWith: 'rm' }, 'rmdir')).toBe('no');
  });
});

describe('conditions on the text of one command', () => {
  it('join its words with blanks', () => {
    expect(strict({ glob: 'npm run *' }, 'npm', 'run', 'build')).toBe('yes');
    expect(strict({ regex: '^npm (test|run lint)$' }, 'npm', 'test')).toBe('yes');
    expect(strict({ equals: 'npm test' }, 'npm', 'test')).toBe('yes');
    expect(strict({ equals: 'npm test' }, 'npm', 'tests')).toBe('no');
    expect(strict({ equals: 5 }, '5')).toBe('no');
  });

  it('are not sure where a word has a blank in it', () => {
    expect(strict({ equals: 'npm run lint' }, 'npm', 'run lint')).toBe('unsure');
    expect(wide({ equals: 'npm run lint' }, 'npm', 'run lint')).toBe('yes');
    expect(strict({ glob: 'git commit -m *' }, 'git', 'commit', '-m', 'a b')).toBe('yes');
  });

  it('are not sure of a word that is known only when it runs', () => {
    expect(strict({ glob: '*' }, 'npm', undefined)).toBe('unsure');
    expect(wide({ regex: '^rm' }, 'rm', undefined)).toBe('unsure');
  });

  it('count another folder, case and look for a rule that refuses only', () => {
    const conditions = [{ glob: 'rm -r*' }, { regex: '^rm -rf' }, { equals: 'rm -rf' }];
    for (const condition of conditions) {
      for (const name of ['/bin/rm', 'RM', 'ｒｍ']) {
        expect(strict(condition, name, '-rf')).toBe('no');
        expect(wide(condition, name, '-rf')).toBe('yes');
      }
    }
  });

  it('give a regular expression a quarter of a second', () => {
    expect(strict({ regex: '^(a+)+$' }, `${'a'.repeat(40)}b`)).toBe('unsure');
    expect(strict({ regex: '(' }, 'a')).toBe('unsure');
  });
});
