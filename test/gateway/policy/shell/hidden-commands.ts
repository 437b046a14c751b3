import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { inQuotes, spelled } from './shell-texts.ts';

const gap = fc.constantFrom(' ', ' ', '  ', '\t', ' \\\n', '\\\n ');

/** What starts the command that follows. */
const wrappers = fc.constantFrom(
  'env',
  'env A=1',
  'env -i -u B',
  'env -- C=2',
  '/usr/bin/env',
  'sudo',
  'sudo -u root',
  'sudo -EH A=1',
  'doas -n',

  'nice',
  'nice -n 5',
  'nice -5',
  'nohup',
  'timeout 5',
  'timeout -k 1 --signal=TERM 5s',
  'stdbuf -oL',
  'setsid -w',

  'command',
  'command -p',
  'exec',
  'exec -a a',
  '\\time -p',
  'xargs',
  'xargs -0 -n1 -I{}',
  'busybox',
  'chroot /a',

  'find . -name a -exec',
  'flock f',
  'watch -x',
  'ionice -c 3',
  'A=1',
  'A=1 B="c d"',
  '>f',
  '2>&1 </dev/null',
  '! ',
  'time',
);

/** Texts in which another one runs, where `@` is. */
const around = fc.constantFrom(
  '@',
  'ls; @',
  '@; ls',
  'ls && @',
  'ls || @',
  'ls | (@)',
  '@ | cat',
  'ls & @ & wait',
  'ls\n@\nls',
  '(@)',
  '{ @; }',

  'if @; then ls; fi',
  'if ls; then @; fi',
  'if a; then b; elif @; then c; else d; fi',
  'while ls; do @; done',

  'until @; do ls; done',
  'for i in a b; do @; done',
  'for i in $(@); do ls; done',
  'case a in a) @;; esac',

  'case $(@) in a) ls;; esac',
  'ls $(@)',
  'ls "$(@)"',
  'ls "a $(b $(@)) c"',
  'A=$(@) ls',
  'A="$(@)"',
  'ls >$(@)',

  'cat <<E\n$(@)\nE',
  'cat <<< "$(@)"',
  'ls ${x:-$(@)}',
  'ls "${x:+$(@)}"',
  'cat <(@)',
  'ls > >(@)',
  '[[ -f $(@) ]]',

  '[ -n "$(@)" ] && ls',
  'f() { @; }; f',
  'function f { @; }; f',
  'ls $((1 + $(@)))',
  'select i in a; do @; done',

  'echo a # b\n@',
  '# a\n@',
  ': ; @',
  'export A=$(@)',
  'local a="$(@)"',
  'a=(1 $(@))',
  'time (@)',
  'cd a && (b; @)',
);

/** Programs that are handed a text. */
const shells = fc.constantFrom(
  'sh -c @',
  'bash -c @',
  'bash -lc @',
  '/bin/bash --norc -ec @',
  'bash -c -- @ a b',
  'eval @',
  'env sh -c @',
  'su -c @',

  'sudo -u a bash -c @',
  'xargs sh -c @',
  'find . -exec sh -c @ \\;',
  'flock f -c @',
  'script -qc @ f',
  'watch @',

  'timeout 5 bash -c @',
  'zsh -c @',
  'dash -c @',
  'trap @ EXIT',
  'bash <<< @',
  'git -c alias.a=!@ a',
  'command eval @',
);

/** The command as one would write it down, in words that bash reads so. */
function written(words: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(...words.map((word) => fc.tuple(spelled(word), gap)))
    .map((all) => all.flat().slice(0, -1).join(''));
}

function wrapped(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(fc.array(wrappers, { maxLength: 3 }), gap, inner).map(([names, between, text]) => {
    // After a program `!`, `time` and redirections are no more what they are at the beginning.
    const first = names.filter((name, at) => at === 0 || !/^(?:!|time$|[A-Z]=|find|exec|[>2])/.test(name));
    return [...first.map((name) => name + between), text].join('');
  });
}

const layer = fc.oneof(
  {
    weight: 2,
    arbitrary: around.map(
      (frame) => (text: string) => frame.replace('@', () => (text.startsWith('(') ? ` ${text}` : text)),
    ),
  },
  { weight: 1, arbitrary: shells.map((frame) => (text: string) => frame.replace('@', () => inQuotes(text))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('sh', 'bash -s', 'env bash').map((shell) => (text: string) => {
      const end = `E${randomBytes(4).toString('hex')}`;
      return `${shell} <<'${end}'\n${text}\n${end}\n`;
    }),
  },
);

/** Lines that run a command of these words for certain. */
export function knownTexts(words: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(wrapped(written(words)), fc.array(layer, { maxLength: 3 }))
    .map(([text, layers]) => layers.reduce((inner, put) => put(inner), text));
}

/** Lines of which only a run tells what they do, or that a person takes for the command. */
export function openTexts([name = '', ...others]: readonly string[]): string[] {
  const rest = others.map((word) => ` ${word}`).join('');
  const plain = name + rest;
  const base64 = Buffer.from(plain).toString('base64');
  const wide = name.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfe_e0));
  return [
    `echo ${plain} | sh`,
    `printf '%s' '${plain}' | bash`,
    `echo ${base64} | base64 -d | sh`,
    `sh <(echo ${plain})`,

    `\${x:-${name}}${rest}`,
    `$x ${plain}`,
    `x=${name}; $x${rest}`,
    `x='${plain}'; $x`,
    `x='${plain}'; eval "$x"`,
    `$(echo ${name})${rest}`,
    `\`echo ${name}\`${rest}`,
    `$(echo '${plain}')`,
    `eval "$(echo ${plain})"`,

    `{${[name, ...others].join(',')},}`,
    `/bin/${name.slice(0, -1)}?${rest}`,
    `/b*/${name}${rest}`,
    `~/${name}${rest}`,

    `set -- ${plain}; "$@"`,
    `bash -c '"$@"' - ${plain}`,
    `bash -c '$0 "$@"' ${plain}`,
    `alias a='${plain}'; a`,

    `source <(echo ${plain})`,
    `echo ${plain} > f; . ./f`,
    `cat <<E | sh\n${plain}\nE`,
    `trap '${plain}' EXIT`,

    `a=(${plain}); "\${a[@]}"`,
    `${wide}${rest}`,
    `${name.slice(0, 1)}\u200b${name.slice(1)}${rest}`,
    `${name}\u00a0${rest}`,

    `${plain}\r`,
    `${plain} )`,
    `${plain} "`,
    `( ${plain}`,
    `=${name}${rest}`,
    `coproc ${plain}`,
    `x=$'${name}' && $x${rest}`,
    `ls $\\\n(${plain})`,
    `ls &\\\n& ${plain}`,
    `x=${name}; $\\\nx${rest}`,
    `ls &>f ${plain}`,
    `cat <<$'E'\n$E\n${plain}\nE`,
    `echo "\${x:-'$(${plain})'}"`,
    `echo "\`echo \\"$(${plain})\\"\`"`,
    `declare -n x=PATH; x=.; ls`,
    `declare -i x; x=$y`,
    `read x <<< '-v a[$(${plain})]'; [ $x ]`,
    `bash-5.2 -c '${plain}'`,
    `&>f ${plain}`,

    `((${plain}))`,
    `[[ a && ${plain} ]]`,
    `echo ${name} | xargs -I{} {}${rest}`,
    `printf -v x ${name}; $x${rest}`,

    `read x <<< ${name}; $x${rest}`,
    `for x in ${name}; do $x${rest}; done`,
    `env -S '${plain}'`,
    `parallel ${plain} ::: a`,

    `PATH=.:$PATH ${plain}`,
    `IFS=,; x=${name},a; $x`,
    `sudo -s ${plain}`,
    `strace -f ${plain}`,
    `!${name}`,
    `echo $((a[$(${plain})]))`,

    `x='a[$(${plain})]'; echo $((x))`,
    `x='$(${plain})'; echo "\${x@P}"`,
    `printf -v 'a[$(${plain})]' b`,
    `[ -v 'a[$(${plain})]' ]`,

    `PS4='$(${plain})'; set -x; ls`,
    `BASH_ENV=f bash -c ls`,
    `env 'BASH_FUNC_ls%%=() { ${plain}; }' bash -c ls`,

    `echo 'a\\' 'b; ${plain} #'`,
    `echo $'a\\'; ${plain}; \\''`,
    `fish -c '${plain}'`,
    `${plain} ${'a'.repeat(100_000)}`,

    `${'('.repeat(300)}${plain}${')'.repeat(300)}`,
    `${'ls $('.repeat(260)}${plain}${')'.repeat(260)}`,
    `${'ls;'.repeat(20_000)}${plain}`,

    `hash -p /bin/${name} ls; ls`,
    `enable -f ./a.so a`,
    `mapfile -C '${plain}' -c 1 a < f`,
    `compgen -C '${plain}'`,
  ];
}
