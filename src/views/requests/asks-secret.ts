import type { Asked } from '../../machines/project-state.ts';
import { withoutHiddenCharacters } from '../../lib/text/hidden-characters.ts';
import { secretSigns, secretWords } from '../../lib/text/secret-words.ts';

/** More than what programs ask for with a line alone: what they say while they work has these words, too. */
const moreWords = [
  '(?<!(?:total|max|maximum|many|number of|input|output|prompt|completion|context|cached) )tokens',
  'pins|secrets|(?:access|api|auth|bearer|bot|refresh|session)tokens?|credentials?|jwts?|mnemonics?|passwd|pwd',
  '(?:verification|authentication|authorization|access|security|one-time|[2m]fa|backup) codes?',
  '(?:api|secret|access|private|encryption|decryption|backup|master|signing|deploy|licen[cs]e|ssh|gpg)[ -]?keys?',
  '(?:seed|recovery) phrases?',
].join('|');

const named = new RegExp(`(?<!\\p{L})(?:${secretWords}|${moreWords})(?!\\p{L})|${secretSigns}`, 'iu');

/** The names of variables are written without blanks: `PGPASSWORD`, `CLIENTSECRET`. */
const runTogether =
  /(?<![A-Z0-9])(?!NOPASSWD|OLDPWD)[A-Z0-9]{1,30}(?:PASSWORD|PASSWD|PASSPHRASE|PWD|TOKEN|SECRET|(?:API|ACCESS|SECRET|PRIVATE)KEY)(?!\p{L})/u;

/** The words of a program name something that nobody else is to know, maybe as programs call it: `db_password`, `clientSecret`. */
export function namesSecret(words: string): boolean {
  const plain = plainWords(words);
  return named.test(plain) || runTogether.test(plain);
}

/**
 * Words as they are looked for: what cannot be seen is not in them, a blank is a blank, letters are written one way, and the words of
 * a name such as `db_password` or `clientSecret` stand apart.
 */
export function plainWords(text: string): string {
  return withoutHiddenCharacters(text)
    .normalize('NFKC')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ');
}

/**
 * A program asks for something that should not be kept, as every answer is. Faces warn before it is given. Whoever made the request has
 * decided it; of older requests their words tell.
 */
export function asksSecret({
  kind,
  question,
  secret = namesSecret(question),
}: Pick<Asked, 'kind' | 'question' | 'secret'>): boolean {
  return kind === 'prompt' && secret;
}

/**
 * Whether a question is about a secret: `asked`: a program asks for one; `named`: somebody's words name one, which may be what is
 * answered. `undefined`: it is not, or it is about a call, which is no question of words.
 */
export function secretIn(
  asked: Pick<Asked, 'kind' | 'question' | 'questions' | 'approval' | 'secret'>,
): SecretIn {
  const { question, questions = [], approval } = asked;
  if (approval) return undefined;
  if (asksSecret(asked)) return 'asked';
  const words = [question, ...questions.flatMap(({ title, question: own = '' }) => [title, own])];
  return words.some(namesSecret) ? 'named' : undefined;
}

type SecretIn = 'asked' | 'named' | undefined;
