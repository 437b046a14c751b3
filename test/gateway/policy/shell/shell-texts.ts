import fc from 'fast-check';
import { standIns } from './real-bash.ts';

type Texts = fc.Arbitrary<string>;

const plain = fc.string({ unit: fc.constantFrom(...'abgirmstx01._'.split('')), minLength: 1, maxLength: 4 });
const name = fc.constantFrom<string>(...standIns);

/** One spelling of a word of ASCII that bash reads as that word. */
export function spelled(word: string): Texts {
  const letters = word.split('').map((letter) => fc.constantFrom(...spellingsOf(letter)));
  const cut = (between: string) =>
    fc.nat({ max: word.length }).map((at) => `${word.slice(0, at)}${between}${word.slice(at)}`);
  const each = fc.tuple(...letters).map((all) => all.join(''));
  return fc.oneof(fc.constantFrom(word, word, `'${word}'`, `"${word}"`), each, cut('\\\n'), cut(`''""`));
}

function spellingsOf(letter: string): string[] {
  const code = letter.charCodeAt(0);
  const hex = code.toString(16);
  return [
    letter,
    letter,
    `'${letter}'`,
    `"${letter}"`,
    `\\${letter}`,
    `$'${letter}'`,
    `"${letter}"''`,
    `$'\\x${hex}'`,
    `$'\\${code.toString(8)}'`,
    `$'\\u00${hex}'`,
    `$'\\U000000${hex}'`,
    `\\\n${letter}`,
  ];
}

/** A text in single quotes, as bash would take it apart. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const gap = fc.constantFrom(' ', ' ', ' ', '\t', '  ', ' \\\n');
const end = fc.constantFrom('; ', '\n', ' && ', ' || ', ' | ', ';', '|', ' |& ', '\n\n', ' # a b\n');

const joined = (texts: readonly Texts[]): Texts => fc.tuple(...texts).map((all) => all.join(''));
const spaced = (words: Texts, size: fc.ArrayConstraints): Texts =>
  fc.array(joined([gap, words]), size).map((all) => all.join(''));

/** Lines of shell that end by themselves and run nothing but stand-ins. */
export const shellTexts: Texts = fc.letrec<Record<'word' | 'simple' | 'command' | 'list', string>>((tie) => ({
  word: fc.oneof(
    { maxDepth: 2, depthSize: 'small', withCrossShrink: true },
    { weight: 8, arbitrary: plain.chain(spelled) },
    fc.constantFrom(
      '$x',
      '"$x"',
      '*',
      '{a,b}',
      '~',
      '-f',
      '--',
      '""',
      "''",
      '#a',
      'a#b',
      '$',
      '{}',
      'a=b',
      '[',
      '?',
    ),
    fc.constantFrom(
      '"a b"',
      "'a;b'",
      '"\\"\\$x\\\\"',
      "'$(rm a)'",
      "$'a\\tb'",
      '\\;',
      "'#'",
      '"`"'.replace('`', '\\`'),
    ),
    joined([fc.constant('$('), tie('list'), fc.constant(')')]),
    joined([fc.constant('"a $('), tie('list'), fc.constant(') b"')]),
    joined([
      fc.constant('`'),
      name.chain(spelled).filter((text) => !text.includes('\\')),
      fc.constant(' a`'),
    ]),
    joined([fc.constantFrom('${x:-', '"${x:-', '${y+'), tie('word'), fc.constant('}')]).map((text) =>
      text.startsWith('"') ? `${text}"` : text,
    ),
  ),
  simple: joined([
    fc.constantFrom('', '', '', 'x=1 ', "x='a b' ", 'LANG=C '),
    name.chain(spelled),
    spaced(tie('word'), { maxLength: 3 }),
    fc.constantFrom('', '', '', ' >f', ' 2>&1', ' </dev/null', ' <<<a', ' 2>f >g'),
  ]),
  command: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    { weight: 12, arbitrary: tie('simple') },
    joined([fc.constant('{ '), tie('list'), fc.constantFrom('; }', '\n}')]),
    joined([fc.constant('('), tie('list'), fc.constant(')')]),
    joined([fc.constant('if '), tie('list'), fc.constant('; then '), tie('list'), fc.constant('; fi')]),
    joined([
      fc.constant('if '),
      tie('list'),
      fc.constant('\nthen '),
      tie('list'),
      fc.constant('\nelse rm e\nfi'),
    ]),
    // A body that is sure to end: a comment may hide a `break`.
    joined([fc.constantFrom('while ', 'until '), tie('list'), fc.constant('\ndo rm w; break; done')]),
    joined([
      fc.constant('for x in'),
      spaced(tie('word'), { maxLength: 2 }),
      fc.constant('; do '),
      tie('list'),
      fc.constant('; done'),
    ]),
    joined([
      fc.constant('case '),
      tie('word'),
      fc.constant(' in a|'),
      tie('word'),
      fc.constant(') '),
      tie('list'),
      fc.constantFrom(';; esac', '\nesac'),
    ]),
    joined([fc.constantFrom('! ', 'time ', 'x=a; '), tie('simple')]),
    joined([
      fc.constantFrom(
        'env ',
        'env a=1 ',
        'env -u a ',
        'nice -n 1 ',
        'nohup ',
        'timeout 9 ',
        'timeout -s 9 9 ',
        'xargs ',
      ),
      fc.constantFrom('', 'nice ', 'env -- ', 'command '),
      name.chain(spelled),
      spaced(tie('word'), { maxLength: 2 }),
    ]),
    joined([
      fc.constantFrom('command ', 'exec ', '\\env ', 'find . -maxdepth 0 -exec env '),
      name,
      fc.constant(' a {} \\;'),
    ]),
    joined([
      fc.constantFrom('sh -c ', 'bash -c ', 'eval ', 'bash -ec ', 'env sh -c '),
      tie('list').map(inQuotes),
    ]),
    joined([
      fc.constant("sh <<'E9'\n"),
      tie('list').filter((text) => !text.includes('E9')),
      fc.constant('\nE9\n:'),
    ]),
    joined([
      fc.constant('cat <<E8\na $x '),
      tie('word').filter((text) => !/E8|[<(]/.test(text)),
      fc.constant('\nE8\n:'),
    ]),
    joined([fc.constant('[[ -f a ]] && '), tie('simple')]),
    joined([
      tie('list')
        .map(inQuotes)
        .map((text) => `printf %s ${text}`),
      fc.constant(' | sh'),
    ]),
    joined([fc.constant('f() { '), tie('list'), fc.constant('; }; f')]),
  ),
  list: joined([
    tie('command'),
    fc.array(joined([end, tie('command')]), { maxLength: 2 }).map((all) => all.join('')),
  ]),
})).list;

const tokens = [
  ' ',
  '\n',
  ';',
  '&&',
  '|',
  '(',
  ')',
  '{ ',
  '; }',
  "'",
  '"',
  '\\',
  '`',
  '$(',
  '$((',
  '))',
  '${',
  '}',
  '$x',
  '<<E\n',

  '\nE\n',
  '<<<',
  '>f',
  '#',
  ' #',
  "$'",
  '$"',
  ';then ',
  ';fi',
  'in ',
  ';do ',
  ';done',
  ';;',
  'esac',
  '! ',
  'time ',
  '[[',

  ']]',
  '((',
  '*',
  '?',
  '~',
  'f() ',
  '|&',
  '&>f',
  '@(',
  '<(',
  'rm ',
  '=',
  '+=',
  '[',
  '-',
  '$',
  '!',
  '\\\n',
  '\t',
  'x=',
  ',',
];

/** The same with a mistake or two, which a shell may or may not mind. */
export const brokenTexts: Texts = fc
  .tuple(
    shellTexts,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('', ...tokens), fc.nat({ max: 2 })), {
      minLength: 1,
      maxLength: 2,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((changed, [where, token, left]) => {
      const at = where % (changed.length + 1);
      return changed.slice(0, at) + token + changed.slice(at + left);
    }, text),
  )
  // Without an end to them, or out of the folder.
  .filter((text) => !/\b(?:while|until)\b/.test(text) && !text.includes('/../'));
