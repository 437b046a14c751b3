import type { EventType } from './catalog.ts';
import { tokenStart, valueStart } from './secret-beginning.ts';

/** Replaces secrets in the data of an event about to be written. Keys stay. */
export type Redactor = (type: EventType, data: unknown) => unknown;

/** Shorter values and tokens are left alone: they would redact ordinary words. */
const MIN_SECRET_LENGTH = 12;

/** What follows where somebody has cut a text. */
const CUT = '…';
/** So much of a value's beginning in front of a cut is the value's, not a word that happens to begin like it. */
const MIN_BEGINNING_LENGTH = 6;

/** Parts of a variable's name, between underscores, that say its value is a secret. */
const SECRET_WORDS = new Set(
  'SECRET SECRETS TOKEN TOKENS PASSWORD PASSWD PASSPHRASE PASS PWD CREDENTIAL CREDENTIALS APIKEY PAT JWT COOKIE'.split(
    ' ',
  ),
);
/** Last parts that do, but mean nothing of the kind further in front: `API_KEY`, not `KEY_FILE`. */
const SECRET_ENDINGS = new Set('KEY AUTH'.split(' '));
/** Last parts that say it is only about a secret: where it lies, what it is called. */
const HARMLESS_ENDINGS = new Set('FILE PATH DIR SOCK SOCKET NAME USER ID HOST PORT TTL TYPE'.split(' '));

/** What tokens look like by themselves. None matches inside a longer word. */
const TOKEN_SHAPES = [
  String.raw`gh[pousr]_[A-Za-z0-9]{20,}`,
  String.raw`github_pat_[A-Za-z0-9_]{20,}`,
  String.raw`sk-[A-Za-z0-9_-]{16,}`,
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}`,
  String.raw`xox[a-z]-[A-Za-z0-9-]{8,}`,
  String.raw`AIza[A-Za-z0-9_-]{20,}`,
  String.raw`npm_[A-Za-z0-9]{20,}`,
  String.raw`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*`,
];
// Only what looks like the body of a key: what merely follows a BEGIN line, or stands between the lines, is no secret,
// and may be a command. A block without its end was cut off: there its whole lines are key.
const PEM_GAP = String.raw`(?:[\s"',>]|\\[rn])`;
const PEM_LINE = String.raw`[A-Za-z0-9+/=]{32,}`;
const PEM_HEADER = String.raw`(?:Proc-Type|DEK-Info): [A-Za-z0-9,-]+${PEM_GAP}+`;
const PEM_SHAPE =
  String.raw`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----${PEM_GAP}*(?:${PEM_HEADER})*${PEM_LINE}(?:${PEM_GAP}+${PEM_LINE})*` +
  String.raw`(?:(?:${PEM_GAP}+[A-Za-z0-9+/=]+)?${PEM_GAP}*-----END [A-Z0-9 ]*PRIVATE KEY-----)?`;
const SHAPES = `(?<![A-Za-z0-9_-])(?:${TOKEN_SHAPES.join('|')})|${PEM_SHAPE}`;
const anyShape = new RegExp(SHAPES);

/** Whether a text contains something of the shape of a known token. Faces warn before they send it. */
export function looksSecret(text: string): boolean {
  return text.length >= MIN_SECRET_LENGTH && anyShape.test(text);
}

/** What may not be written down in a process with this environment. */
export type Secrets = {
  /** Values of variables whose names look secret. */
  readonly values: readonly string[];
  /** Finds such values and tokens of a known shape. Global. */
  readonly pattern: RegExp;
  /** A text in which they are replaced: values by `[redacted:NAME]`, tokens by `[redacted]`. */
  readonly redactText: (text: string) => string;
  /** A text in which each of them is what `by` makes of it; `name` is that of the variable whose value it is. */
  readonly replaceIn: (text: string, by: (found: string, name: string | undefined) => string) => string;
};

/** The secrets of an environment. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): Secrets {
  const names = secretNames(env);
  // Longest first: a secret may contain another.
  const values = [...names.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp([...values.map(escapeRegExp), SHAPES].join('|'), 'g');
  const replaceIn: Secrets['replaceIn'] = (text, by) =>
    text.length < MIN_SECRET_LENGTH ? text : text.replace(pattern, (found) => by(found, names.get(found)));
  const redactText = (text: string) =>
    text.length < MIN_SECRET_LENGTH
      ? text
      : withoutBeginnings(
          replaceIn(text, (_, name) => (name === undefined ? '[redacted]' : `[redacted:${name}]`)),
          values,
        );
  return { values, pattern, redactText, replaceIn };
}

/** What a quotation that was cut has of a secret is no match of the whole: it is replaced here. */
function withoutBeginnings(text: string, values: readonly string[]): string {
  if (!text.includes(CUT)) return text;
  const [rest = '', ...cut] = text.split(CUT).toReversed();
  const safe = cut.map((part) => {
    const value = valueStart(part, values);
    if (part.length - value >= MIN_BEGINNING_LENGTH) return `${part.slice(0, value)}[redacted]`;
    const token = tokenStart(part);
    return part.length - token >= MIN_SECRET_LENGTH ? `${part.slice(0, token)}[redacted]` : part;
  });
  return [rest, ...safe].toReversed().join(CUT);
}

/**
 * Makes the redactor for a process with this environment. Values of variables whose names look secret
 * become `[redacted:NAME]`, tokens of a known shape `[redacted]`. A human's answer is exempt: it has
 * to arrive. So are digests that are compared: one in a hundred thousand begins like a token. So are the
 * arguments of a call that waits for a human, out of which `hideSecrets` has taken them: it says how many.
 */
export function createRedactor(env: Readonly<Record<string, string | undefined>>): Redactor {
  const { redactText } = secretsOf(env);
  return (type, data) => {
    const redacted = redactValue(data, redactText);
    const exempt = exemptFields[type];
    return exempt === undefined || redacted === data ? redacted : withFields(redacted, data, exempt);
  };
}

/** Fields that stay as they are: `true`, or which of their own fields do. */
type Fields = { readonly [key: string]: true | Fields };

const exemptFields: { readonly [T in EventType]?: Fields } = {
  'help.answered': { response: true },
  'help.requested': { approval: { args: true, callDigest: true, definitionDigest: true } },
  'policy.ruleadded': { definitionDigest: true },
  'tool.pinned': { tools: true },
};

/** A redacted value with these fields as they were before. */
function withFields(redacted: unknown, before: unknown, fields: Fields): unknown {
  if (!isRecord(redacted) || !isRecord(before)) return redacted;
  const copy = { ...redacted };
  for (const [key, inside] of Object.entries(fields)) {
    if (Object.hasOwn(before, key))
      copy[key] = inside === true ? before[key] : withFields(redacted[key], before[key], inside);
  }
  return copy;
}

/** A pattern that matches the text itself. (`RegExp.escape` is not in Node 22.) */
function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Secret values and the variable each comes from. */
function secretNames(env: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.length >= MIN_SECRET_LENGTH && isSecretName(name))
      names.set(value, name);
  }
  return names;
}

/** Whether a name, as of a variable, says that its value is a secret: `API_KEY`, `github-token`. */
export function isSecretName(name: string): boolean {
  const words = name.toUpperCase().split(/[^A-Z0-9]+/);
  const last = words.at(-1) ?? '';
  // PWD and OLDPWD by themselves are folders.
  if (words.length === 1 && (last === 'PWD' || last === 'OLDPWD')) return false;
  if (HARMLESS_ENDINGS.has(last)) return false;
  return SECRET_ENDINGS.has(last) || words.some((word) => SECRET_WORDS.has(word));
}

/** The same value, not a copy, when there was nothing to replace. */
function redactValue(value: unknown, redactText: (text: string) => string): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, redactText));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const redacted = redactValue(item, redactText);
    if (redacted === item) continue;
    copy ??= { ...value };
    copy[key] = redacted;
  }
  return copy ?? value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
