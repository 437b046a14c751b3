import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowing, decisionOf, denying, unattended } from './command-policies.ts';
import { knownTexts, openTexts } from './hidden-commands.ts';
import { propertyRuns } from '../../../helpers/property-runs.ts';

/** How many spellings are tried, forty times as many by `npm run test:faults`; `SHELL_SEED` repeats what failed. */
const numRuns = Number(process.env['SHELL_RUNS'] ?? propertyRuns(1_000));
const seed = Number(process.env['SHELL_SEED'] ?? randomInt(2 ** 31));

const denied = ['rm', 'git push', 'git push --force'];
const wordsOf = (prefix: string): string[] => [...prefix.split(' '), 'x'];

describe('a deny rule', () => {
  it('meets every spelling of its command that can be known', () => {
    const cases = denied.map((prefix) => knownTexts(wordsOf(prefix)).map((text) => [prefix, text] as const));
    fc.assert(
      fc.property(fc.oneof(...cases), ([prefix, text]) => {
        expect(decisionOf(text, denying(prefix))).toBe('deny');
      }),
      { seed, numRuns },
    );
  });

  it.each(denied)('"%s" is not got past by what is known only when it runs, or looks like it', (prefix) => {
    for (const text of openTexts(wordsOf(prefix))) {
      expect(decisionOf(text, denying(prefix)), text.slice(0, 200)).not.toBe('allow');
    }
  });

  it.each([
    'x=rm; $x a',
    '${x:-rm} a',
    '$x rm a',
    '{rm,-rf,a}',
    '$(echo rm) a',
    'echo rm a | sh',
    'cat <<E | sh\nrm a\nE',

    'set -- rm a; "$@"',
    'rm a )',
    '((rm a))',
    '[[ b && rm a ]]',
    'f() { rm a; }',
    'coproc rm a',
    'parallel rm ::: a',
    'eatmydata rm a',
    'ｒｍ a',
    'r\u200bm a',
    'rm\u00a0a',
    'RM a',
    '/usr/bin/rm a',
    'rm.exe a',
    'find . -delete',

    'bash -c \'"$@"\' - rm a',
    "alias l='rm a'",
    "trap 'rm a' EXIT",
    "env -S 'rm a'",
    'xargs -I{} sh -c "rm {}"',

    "find . -exec sh -c 'rm {}' ';'",
    'timeout $t rm a',
    'sudo $o rm a',
    'git submodule foreach rm a',
    'git rebase -x "rm a"',
    "git config alias.x '!rm a'",
  ])('meets what may turn out to be rm: %s', (text) => {
    expect(decisionOf(text, denying('rm'))).toBe('deny');
  });

  it.each([
    "test -v 'a[$(rm b)]'",
    "[ -v 'a[$(rm b)]' ]",
    "read 'a[$(rm b)]' <<< 1",
    "declare 'a[`rm b`]=1'",
    "a['$(rm b)']=1",

    "x='a[$(rm b)]'; echo $((x))",
    "x='a[$(rm b)]'; echo ${z[x]}",
    "declare -i x='a[$(rm b)]'",
    `x='$(rm b)'; echo "\${x@P}"`,
    `export x='$(rm b)'; echo "\${x@P}"`,

    "GIT_SSH_COMMAND='rm b' git fetch",
    "export GIT_PAGER='rm b'; git -p log",
    "LESSOPEN='|rm %s' less f",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm b' git x",
    "x='!rm b' git --config-env=alias.x=x x",
    'git --config-env=alias.x=y x',

    'jobs -x rm b',
    'fd -e ts -x rm',
    'fdfind . --exec-batch rm',
    'fd . --exec=rm',
    'runcon a rm b',
    'ssh host <<E\nrm b\nE',
  ])('meets it where nobody is asked: %s', (text) => {
    expect(decisionOf(text, unattended('rm'))).toBe('deny');
  });

  it.each([
    'git-push origin',
    '/usr/lib/git-core/git-push',
    'git -c alias.p=push p origin',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=push git p',
  ])('meets a command of git by another name where nobody is asked: %s', (text) => {
    expect(decisionOf(text, unattended('git push'))).toBe('deny');
  });

  it.each([
    "grep 'a[0]' f",
    'LANG=C.UTF-8 GIT_PAGER=cat git log',
    'PATH=bin:$PATH make',
    "EDITOR='vi -u NONE' git commit",
    "echo '$(rm b)'",
    'jobs',
    'fd -e ts',
    'git-lfs pull',
    'git -c user.name=rm log',
  ])('leaves alone where nobody is asked: %s', (text) => {
    expect(decisionOf(text, unattended('rm'))).toBe('allow');
  });

  it.each([
    'git push $x',
    'git $x --force',
    'git push "$(cat f)"',
    'git push *',
    'git -C $d push --force',
    'GIT Push --FORCE',
  ])('of more words meets one that hangs on something: %s', (text) => {
    expect(decisionOf(text, denying('git push --force'))).toBe('deny');
  });

  it.each([
    'ls rm',
    'echo "rm x"',
    'git log rm',
    'rmdir x',
    'git commit -m "rm; rm"',
    "grep 'rm|rm' f",
    'ls > rm',
    'ls # rm',
  ])('leaves what only names it alone: %s', (text) => {
    expect(decisionOf(text, denying('rm'))).toBe('allow');
  });

  it.each([`rm ${'a'.repeat(100_000)}`, `${':;'.repeat(50_000)}rm a`, `${'ls\n'.repeat(30_000)}sudo rm a`])(
    'meets it in 100 KB',
    (text) => {
      expect(decisionOf(text, denying('rm'))).toBe('deny');
    },
  );

  it('is not what refuses a file that decides over agents, wherever a redirection opens it', () => {
    const policy = denying('rm');
    expect(decisionOf('if a; then (b | c) 2>.git/"config"; fi', policy)).toBe('deny');
    expect(decisionOf('bash -c "echo a >mcp.json"', policy)).toBe('deny');
    expect(decisionOf('a <f >g', policy)).toBe('allow');
  });
});

describe('a rule that allows', () => {
  const git = allowing(
    'git log',
    'git status',
    'grep',
    'head',
    'cd',
    'bash',
    'sh',
    'env',
    'true',
    '[',
    'find',
    'echo',
  );

  it.each([
    'git log',
    'git log -p --stat',
    'git log | head -5',
    'cd a && git status',
    'git status; git log',
    '(git log)',

    'git log "$(git status)"',
    'git log $x',
    'for f in a b; do git log "$f"; done',
    'if git log; then git status; fi',

    'git log 2>&1 >/dev/null',
    'git log &>/dev/null',
    'git log \\\n| head',
    'git log < f',
    "bash -c 'git log'",
    "sh <<'E'\ngit log\nE",
    'env A=1 git log',
    '! git log',

    'LANG=C git log',
    'GIT_PAGER=cat git log',
    'git log -- *.ts',
    "grep 'a|b' $x",
    'grep "it\'s; rm"',
    '[ -f a ] && git log',

    'git log # of all',
    'git log -n $((1 + 2))',
    'git \\\n log',
    "'git' log",
    'find . -name "*.ts"',
    '[[ -f a ]] || git log',
    'git log --format="%h é 🎉"',
    'x=1; git log',
    'true && git log &',
    'git log "$(grep a <<E\na; b\nE\n)"; git status',
    'git log "$(git log; git status; grep a <<E\na\nE\ngit log\ngit status && true)"',
    'grep a <<E; git log; git status\na\nE',
  ])('allows %s', (text) => {
    expect(decisionOf(text, git)).toBe('allow');
  });

  it.each([
    '',
    ' ',
    '# git log',
    'x=1',
    'git logout',
    'git log; rm x',
    'git log | tee f',
    'git log > /f',
    'git log > $x',
    'git log $(rm x)',

    '/usr/bin/git log',
    'Git log',
    'git "log -p"',
    'git $x',
    '$x log',
    'git log &>../f',
    'PATH=. git log',
    'git -C a log',

    'GIT_PAGER=rm git log',
    'git -c core.pager=rm log',
    'git -c core.hooksPath=h log',
    'GIT_SSH_COMMAND=rm git log',
    'GIT_EXTERNAL_DIFF=rm git log -p',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=rm git log',
    'export GIT_EXTERNAL_DIFF=rm; git log -p',
    'bash',
    'echo git log | bash',
    'curl a | sh',
    'bash -c "$x"',

    'env $x git log',
    'f() { git log; }',
    'source f; git log',
    'git log `rm x`',
    'git log <(rm x)',
    'find . -delete',

    'find . -exec rm {} +',
    'find $x',
    'git log )',
    'git log "',
    'git\u200b log',
    'git\u00a0log',
    'git log\r',
    'git log !x',

    'set -k; git log',
    'shopt -s extglob; git log',
    'git log $((x))',
    'git log &>/dev/null rm',
    'git log a$\\\nx',
    "git log $'\\x{41}'",
    "git log $'a\\\nb'",
    "git log $'a\\''",
    'git log ${!x}',
    'bash -i -c true',
    'git log $(grep a <<E\na\nE\ngit log; git status)',
    'git log $(grep a <<E; git log; git status\na\nE\n)',
    'git log "$(grep $(grep a <<E\na;\nE\n); git log; git status)"',
  ])('does not allow %j', (text) => {
    expect(decisionOf(text, git)).toBe('confirm');
  });
});
