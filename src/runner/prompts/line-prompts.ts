import { secretSigns, secretWords } from '../../lib/text/secret-words.ts';
import type { PromptKind } from './prompt.ts';

/** A line that waits for an answer. */
type LinePattern = {
  readonly kind: PromptKind;
  readonly pattern: RegExp;
  /** How the line has to begin, where the pattern ignores case and this does not. */
  readonly begins?: RegExp;
  /** An explanation may look like it, too. */
  readonly isLikeProse?: true;
  /** What has to stand somewhere before it, where the line alone says too little. */
  readonly after?: RegExp;
};

const yes = 'y(?:es)?';
const no = 'no?';
const yesNo = `(?:${yes} ?[/|,] ?${no}|${no} ?[/|,] ?${yes})`;

/** The same words in front of whose password it is, in other languages. */
const inOtherWords = 'für|von|de|pour|para|di|per|voor|för|til|użytkownika|pro|для|до|για|cho';

/** How programs say what is to be typed, in English, German, French and Spanish. */
const enter =
  'enter|type|input|choose|select|geben sie|entre[rz]|saisi(?:r|ssez)|introduzca|introduce|ingrese|escriba';

/** Of lines without an end: the cursor stands behind them. */
const unfinished: readonly LinePattern[] = [
  // (y/n) · [Y/n]? · [y/N]: · (yes/no/[fingerprint])? · (yes/no) [yes] · (Y/n) ›
  {
    kind: 'choice',
    pattern: new RegExp(
      `^(?=.*[?:›]).*[[(<]${yesNo}(?:/\\[\\w+\\])?[\\])>](?:\\s*[[(][^\\])]{0,40}[\\])])?\\s*(?:[?:>›»]{1,2}\\s*)?$`,
      'i',
    ),
  },
  // Is this OK? (yes) · Ok to proceed? (y) · Continue? y/n
  { kind: 'choice', pattern: new RegExp(`\\S\\? ?(?:[[(](?:${yes}|${no})[\\])]|${yesNo}) ?:?\\s*$`, 'i') },
  // Stage this hunk [y,n,q,a,d,e,p,?]? · (Y/I/N/O/D/Z) [default=N] ?
  { kind: 'text', pattern: /[[(][a-z?](?:[/,][a-z?]){2,}[\])]\s*(?:[[(][^\])]{0,20}[\])])?\s*[?:]\s*$/i },
  // Overwrite x? (enter "h" for help) [Ynaqdhm]
  { kind: 'text', pattern: /\? (?:\([^)]*\) )?\[[a-z]{3,10}\] $/i },
  // [y]es, [n]o, [A]ll: · [Y] Yes  [N] No  [?] Help (default is "Y"):
  { kind: 'text', pattern: /\[y\] ?(?:y?es)\b.*\[n\] ?(?:n?o)\b.*[:?]\s*$/i },
  // [sudo] password for ada: · Enter passphrase for key '…': · ada@host's password: · New password (again): · [sudo] Mot de passe de ada :
  {
    kind: 'secret',
    pattern: new RegExp(
      `^(?:[[(][^\\])]{0,40}[\\])] )?(?:[\\p{L}\\w@.'’/-]+ ){0,4}(?:${secretWords})` +
        `(?: (?:for|of|to|from|${inOtherWords}) .{1,200}| [[(][^\\])]{0,80}[\\])]| again){0,2}\\s*:\\s*$`,
      'iu',
    ),
    begins: /^(?:[[(\p{Lu}]|\S+ \S)/u,
    isLikeProse: true,
  },
  // [sudo] ada 的密码： · 输入密码:
  { kind: 'secret', pattern: new RegExp(`^.{0,60}(?:${secretSigns})[^:：]{0,40}[:：]\\s*$`) },
  // Username for 'https://host': · myhost login: · Email (this will be public):
  {
    kind: 'text',
    pattern:
      /^(?:User ?name|npm username|[\w.-]+ login|E-?mail(?: address)?|[Ee]mail \(this will be public\))(?: for '')?:\s*$/,
  },
  // keytool asks below what it says.
  { kind: 'secret', pattern: /^\s*\(RETURN if same as keystore password\):\s*$/ },
  { kind: 'text', pattern: /^ {2}\[[^\][]{1,80}\]: {2}$/, after: /^What is .{1,80}\?\s*$/m },
  { kind: 'choice', pattern: /^ {2}\[no\]: {2}$/, after: /^Is CN=.{1,400} correct\?\s*$/m },
  // Enter a value: · Enter file in which to save the key (/root/.ssh/id_rsa): · Please type 'yes' to confirm: · Geben Sie einen Wert ein:
  {
    kind: 'text',
    pattern: new RegExp(`^\\s*(?:(?:please|bitte|veuillez) )?(?:${enter})\\b.{1,160}:\\s*>?\\s*$`, 'i'),
    isLikeProse: true,
  },
  { kind: 'text', pattern: /^(?:your )?(?:choice|selection)\b.{0,40}:\s*$|^#\? $/i },
  // npm init: package name: (shop) · description:
  {
    kind: 'text',
    pattern:
      /^(?:package name|version|description|entry point|test command|git repository|keywords|author|license|type): (?:\([^)]*\) )?$/,
    after: /This utility will walk you through creating a package\.json|package name:/,
  },
  // rm: remove regular file 'x'? · mv: replace 'x', overriding mode 0444 (r--r--r--)? · Overwrite?
  {
    kind: 'choice',
    pattern: /^[\w.+-]+: (?:remove|overwrite|replace|delete|descend into|try to)\b[^?]{0,240}\?\s*$/,
  },
  {
    kind: 'choice',
    pattern: /(?:^\s*|[.!] )(?:overwrite|replace|proceed|continue|delete|retry|abort)(?: [^\s?]+){0,3}\? $/i,
  },
  // The mark of interactive libraries: ? Project name: › my-app
  { kind: 'text', pattern: /^\? \S.{0,240}$/ },
  { kind: 'key', pattern: /^--More--(?:\(\d+%\))?\s*$/ },
  { kind: 'key', pattern: /\b(?:press|hit) (?:the )?[[<(]?(?:enter|return|any key|a key|space)\b.{0,80}$/i },
];

/** Only where nothing comes for long, since a program may say what it does with the same words. */
const asking: readonly LinePattern[] = [
  // Password > · Enter passphrase= : what a program is written in has them with other blanks.
  {
    kind: 'secret',
    pattern: new RegExp(
      `^(?:(?:${enter}) )?(?:(?:the|your|new) ){0,2}(?:${secretWords})(?: ?[>›»]|=) $`,
      'iu',
    ),
    begins: /^\p{Lu}/u,
  },
  // A short line that asks something, whatever it is, or names what is to be typed:
  // Project name (my-app): · Which port? · Port (default: 8080): · [1/3] Name:
  {
    kind: 'text',
    pattern:
      /^\s*(?:[[(][^\])]{0,40}[\])]\s?)?(?!\p{L}+ing\b)[\p{L}\p{N}](?:[^:?：？[(（]|[[(（][^\])）]{0,60}[\])）]){1,80}[:?：？]\s*$/iu,
    isLikeProse: true,
  },
];

/** Of lines that were ended: the few that programs print so, and then wait. */
const finished: readonly LinePattern[] = [
  {
    kind: 'key',
    pattern:
      /^press (?:the )?[[<]?(?:return\/enter|enter|return|any key|a key)\b[\]>]?(?: key)?(?: (?:to|when|if|for|or)\b.{0,60})?[\s.…:]*$/i,
  },
  {
    kind: 'choice',
    pattern: new RegExp(`^are you sure you want to continue connecting \\(${yesNo}[^)]*\\)\\?\\s*$`, 'i'),
  },
];

/** Words of somebody who explains something; a program that asks has none of them. */
const prose =
  /(?<![\p{L}\p{N}_.@/-])(?:I|I'm|I'll|let|we|now|here|this|that|these|following|below|add|check|update|use|create)(?![\p{L}\p{N}_@/-])/iu;
/** It asks, whatever words stand behind that: `Enter the code that was sent to you: `. */
const asks = new RegExp(
  `^\\s*(?:(?:please|bitte|veuillez) )?(?:${enter})\\b|^\\s*(?:which|what|where|who)\\b.*\\?\\s*$`,
  'i',
);
/** What lists, changes, quotations, comments and numbered lines begin with. */
const notAtPrompt = /^\s*(?:[-+](?![-+])|[*>|] |#(?!\? $)|\/\/|\d+[.:|)] )/;

type LineEnd = {
  readonly isFinished: boolean;
  /** Nothing has come behind it for long. */
  readonly isLong?: boolean;
  readonly before: string;
};

/** What the last line of an output waits for, if it does. `before` is the output before that line. */
export function linePrompt(
  line: string,
  { isFinished, isLong = false, before }: LineEnd,
): PromptKind | undefined {
  if (line.length > MAX_LINE_LENGTH || notAtPrompt.test(line) || code.test(line) || isInString(line))
    return undefined;
  const shown = withoutQuotes(line);
  const found = (isFinished ? finished : isLong ? [...unfinished, ...asking] : unfinished).find(
    ({ pattern, begins, after }) =>
      pattern.test(shown) && (begins?.test(shown) ?? true) && (after?.test(before) ?? true),
  );
  const isProse = found?.isLikeProse && prose.test(shown) && !(isLong && asks.test(shown));
  return isProse ? undefined : found?.kind;
}

const MAX_LINE_LENGTH = 400;
const code = /[;{}]|=>|\breturn\b/;

/** What is quoted was not asked. */
function withoutQuotes(line: string): string {
  return line.replaceAll(/'(?!\w')[^']*'(?!\w)|"[^"]*"|`[^`]*`/g, ([mark = '']) => mark + mark);
}

/** A quotation mark is open at its end: it is a part of a program, not its output. */
function isInString(line: string): boolean {
  const quotes = line.replaceAll(/(?<=\w)['’](?=\w)/g, '');
  return ['"', '`', "'"].some((mark) => quotes.split(mark).length % 2 === 0);
}

/** The answers that a line offers to a choice. */
export function choicesOf(line: string): readonly string[] {
  const long = /\byes ?[/|,] ?no\b|\bno ?[/|,] ?yes\b|[[(]yes[\])]|[[(]no[\])]/i;
  return long.test(line) ? ['yes', 'no'] : ['y', 'n'];
}
