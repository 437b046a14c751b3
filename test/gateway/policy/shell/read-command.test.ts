import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../../../../src/gateway/policy/shell/read-command.ts';
import { covers } from './covers.ts';
import { runInBash } from './real-bash.ts';
import { brokenTexts, shellTexts } from './shell-texts.ts';

/** How many texts the real bash runs; `SHELL_SEED` repeats what failed. */
const numRuns = Number(process.env['SHELL_REAL_RUNS'] ?? 60);
const seed = Number(process.env['SHELL_SEED'] ?? randomInt(2 ** 31));

/** Commands with `?` for a word that is not known. */
function commandsIn(text: string): string[] {
  return readCommand(text).commands.map(({ words }) => words.map((word) => word ?? '?').join(' '));
}

/** What bash ran that the reading neither lists nor doubts. */
function missedIn(texts: readonly string[]): unknown[] {
  const ran = runInBash(texts);
  return texts.flatMap((text, at) => {
    const { commands, doubt } = readCommand(text);
    if (doubt !== undefined) return [];
    const missed = ran[at]?.filter((started) => !commands.some(({ words }) => covers(words, started))) ?? [];
    return missed.map((started) => ({ text, started, commands, seed }));
  });
}

const shortOnes = (texts: fc.Arbitrary<string>): string[] =>
  fc.sample(
    texts.filter((text) => text.length < 1_000),
    { seed, numRuns },
  );

describe('the real bash', () => {
  it('runs nothing that was not read', { timeout: 60_000 + numRuns * 500 }, () => {
    expect(missedIn(shortOnes(shellTexts))).toEqual([]);
  });

  it('runs nothing that was not read of what is broken', { timeout: 60_000 + numRuns * 500 }, () => {
    expect(missedIn(shortOnes(brokenTexts))).toEqual([]);
  });

  it('ends also where a text calls itself, or waits, without an end', () => {
    const ran = runInBash(['f() { rm a; f | f; }; f', 'rm b; coproc read x; wait', 'rm c']);
    expect(ran.slice(1)).toEqual([[['rm', 'b']], [['rm', 'c']]]);
  });

  it('runs what these tests suppose', () => {
    const known = [
      'rm a',
      '"r"m a',
      "$'\\x72m' a",
      'r\\\nm a',
      '{rm,a}',
      '${x:-rm} a',
      '$x rm a',
      'x=rm; $x a',
      'echo rm a | sh',

      'eval "rm" "a"',
      'sh <<E\nrm a\nE',
      'bash -c \'"$@"\' - rm a',
      'set -- rm a; "$@"',
      'echo a | xargs rm',

      'find . -maxdepth 0 -exec rm a \\;',
      'f() { rm a; }; f',
      "trap 'rm a' EXIT",
      'echo "$(echo "$(rm a)")" `:`',

      "x='a[$(rm a)]'; echo $((x))",
      'x=\'$(rm a)\'; echo "${x@P}"',
      "test -v 'a[$(rm a)]'",
      "env 'BASH_FUNC_f%%=() { rm a; }' bash -c f",

      '. <(echo rm a)',
      'for x in rm; do $x a; done',
      'read x <<< rm; $x a',
      'cat <(rm a)',
      'env - PATH="$PATH" STARTED="$STARTED" rm a',
    ];
    expect(runInBash(known)).toEqual(known.map(() => [['rm', 'a']]));
    expect(missedIn(known)).toEqual([]);
  });
});

describe('what is sure', () => {
  it('is a good part of what is written plainly', () => {
    const texts = fc.sample(shellTexts, { seed, numRuns: 100 });
    const sure = texts.filter((text) => readCommand(text).doubt === undefined);
    expect(sure.length).toBeGreaterThan(20);
  });
});

describe('the commands of a text', () => {
  it.each([
    ['a b | c && d; e &', ['a b', 'c', 'd', 'e']],
    [
      'sudo -u x env A=1 nice -n 5 rm y',
      ['sudo -u x env A=1 nice -n 5 rm y', 'env A=1 nice -n 5 rm y', 'nice -n 5 rm y', 'rm y'],
    ],
    ['bash -c "a; b $x"', ['bash -c ?']],
    ["bash -c 'a; b $x'", ['bash -c a; b $x', 'a', 'b ?']],
    ['echo "x $(date +%s) y"', ['echo ?', 'date +%s']],
    ['xargs -n 1 -I% cp % d', ['xargs -n 1 -I% cp % d', 'cp ? d ?']],
    ['find . -exec a {} + -o -ok b \\;', ['find . -exec a {} + -o -ok b ;', 'a ?', 'b']],
    ['git -C d push', ['git -C d push', 'git push']],
    ["git submodule foreach 'git pull'", ['git submodule foreach git pull', 'git pull']],
    ['timeout -s KILL 5 a', ['timeout -s KILL 5 a', 'a']],
    ["flock f -c 'a b'", ['flock f -c a b', 'a b']],
    ['watch -n 5 a b', ['watch -n 5 a b', 'a b']],
    ['command -v git', ['command -v git']],
    ['ssh host rm x', ['ssh host rm x']],
    ["python -c 'import os'", ['python -c import os']],
    ['A=1 B=2', []],
    ['if a; then b; else c; fi; while d; do e; done; case x in y) f;; esac', ['a', 'b', 'c', 'd', 'e', 'f']],
  ])('%s', (text, commands) => {
    expect(commandsIn(text)).toEqual(expect.arrayContaining(commands));
    expect(commandsIn(text)).toHaveLength(commands.length);
  });

  it('come with the variables that are set for them', () => {
    expect(readCommand('A=1 B="$x" c').commands).toEqual([
      {
        words: ['c'],
        assignments: [
          { name: 'A', value: '1' },
          { name: 'B', value: undefined },
        ],
      },
    ]);
  });
});

describe('the files that redirections open', () => {
  it.each([
    ['a > b', [{ path: 'b', writes: true }]],
    [
      'a < b >> "c d" 2>$e',
      [
        { path: 'b', writes: false },
        { path: 'c d', writes: true },
        { path: undefined, writes: true },
      ],
    ],
    [
      '(a; b &> c) <> d',
      [
        { path: 'd', writes: true },
        { path: 'c', writes: true },
      ],
    ],
    ['a >/dev/null 2>&1 <&- >&2', []],
    ['a >& b', [{ path: 'b', writes: true }]],
    ['echo "$(a > b)"', [{ path: 'b', writes: true }]],
    ["sh -c 'a >| b'", [{ path: 'b', writes: true }]],
    ['exec 3<>/dev/tcp/h/1', [{ path: '/dev/tcp/h/1', writes: true }]],
    ['cat <<E > f\n$x\nE', [{ path: 'f', writes: true }]],
  ])('%s', (text, redirects) => {
    const found = readCommand(text).redirects;
    expect(found).toEqual(expect.arrayContaining(redirects));
    expect(found).toHaveLength(redirects.length);
  });
});
