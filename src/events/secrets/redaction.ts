import { isJsonObject } from '../../lib/json/json-object.ts';
import { descriptorOf, type EventType } from '../catalog.ts';
import type { Fields } from '../descriptor.ts';
import { tokenStart, valueStart } from './secret-beginning.ts';
import { isSecretName } from './secret-names.ts';
import {
  credentialsIn,
  isPassword,
  isTokenAsUser,
  LABELLED_SHAPE,
  LABELS,
  labelledIn,
  literal,
  MIN_SECRET_LENGTH,
  PEM_SHAPE,
  PGP_SHAPE,
  TOKEN_SHAPES,
  URL_SHAPE,
} from './secret-shapes.ts';

/** Replaces secrets in the data of an event about to be written. The names of its own fields stay. */
export type Redactor = (type: EventType, data: unknown) => unknown;

/** A value of more words than this is a text. */
const MAX_PARTS = 8;

/** What follows where somebody has cut a text. */
const CUT = '…';
/** So much of a value's beginning in front of a cut is the value's, not a word that happens to begin like it. */
const MIN_BEGINNING_LENGTH = 6;

const KEY_START = '-----BEGIN ';
const OTHER_SHAPES = [PGP_SHAPE, LABELLED_SHAPE];
/** No text without one of these has one of those. */
const OTHER_BEGINNINGS = ['-----BEGIN PGP ', ...LABELS];
const labelledShapes = new RegExp(LABELLED_SHAPE, 'g');
const urlShapes = new RegExp(URL_SHAPE, 'g');

/** What may not be written down in a process with this environment. */
export type Secrets = {
  /** Values of variables whose names look secret, and passwords of URLs in any. */
  readonly values: readonly string[];
  /** Finds such values and tokens of a known shape, and whatever in a URL may be a name and a password. Global. */
  readonly pattern: RegExp;
  /** A text in which they are replaced: values by `[redacted:NAME]`, tokens by `[redacted]`. */
  readonly redactText: (text: string) => string;
  /**
   * A text in which each of them is what `by` makes of it; `name` is that of the variable whose value it is. Of what
   * `by` makes nothing, only what is a secret within it is replaced.
   */
  readonly replaceIn: (
    text: string,
    by: (found: string, name: string | undefined) => string | undefined,
  ) => string;
  /** The same in a JSON value: in texts, in the names of its members, and in numbers. */
  readonly redactJson: (value: unknown) => unknown;
};

/** The secrets of an environment. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): Secrets {
  const { names, passwords } = secretNames(env);
  // Longest first: a secret may contain another.
  const values = [...names.keys()].sort((a, b) => b.length - a.length);
  const shapes = [...values.map(literal), TOKEN_SHAPES, PEM_SHAPE];
  // Twice as fast without the last ones, and few texts have a URL, fewer what the others begin with.
  const plainPattern = new RegExp(shapes.join('|'), 'g');
  const urlPattern = new RegExp([...shapes, URL_SHAPE].join('|'), 'g');
  const pattern = new RegExp([...shapes, ...OTHER_SHAPES, URL_SHAPE].join('|'), 'g');
  const patternFor = (text: string) => {
    if (OTHER_BEGINNINGS.some((beginning) => text.includes(beginning))) return pattern;
    return text.includes('//') ? urlPattern : plainPattern;
  };
  const withoutKeys = new RegExp(
    [...values.map(literal), TOKEN_SHAPES, LABELLED_SHAPE, URL_SHAPE].join('|'),
    'g',
  );
  const numbers = new Map(
    [...names].flatMap(([value, name]) => (/^\d+$/.test(value) ? [[Number(value), name] as const] : [])),
  );
  const replaceIn: Secrets['replaceIn'] = (text, by) => {
    const replaced = (found: string): string => {
      const name = names.get(found);
      const labelled = name === undefined ? labelledIn(found) : undefined;
      if (labelled)
        return `${labelled.name}${by(labelled.secret, names.get(labelled.secret)) ?? labelled.secret}`;
      if (name === undefined && found.startsWith('//')) return withoutPassword(found);
      return by(found, name) ?? within(found);
    };
    const within = (found: string): string =>
      found.startsWith(KEY_START) ? found.replace(withoutKeys, replaced) : found;
    const withoutPassword = (found: string): string => {
      const { user, password } = credentialsIn(found);
      const isSecret = passwords.has(password) || isPassword(password);
      const safe =
        (isSecret ? by(password, passwords.get(password)) : undefined) ?? password.replace(pattern, replaced);
      const safeUser =
        (isTokenAsUser(user) ? by(user, names.get(user)) : undefined) ?? user.replace(pattern, replaced);
      return found.includes(':') ? `//${safeUser}:${safe}@` : `//${safeUser}@`;
    };
    return text.length < MIN_SECRET_LENGTH ? text : text.replace(patternFor(text), replaced);
  };
  const redactText = (text: string) =>
    withoutBeginnings(
      replaceIn(text, (_, name) => maskOf(name)),
      values,
    );
  const redactJson = (value: unknown): unknown => {
    if (typeof value === 'number' && numbers.has(value)) return maskOf(numbers.get(value));
    return typeof value === 'string' ? redactText(value) : withItems(value, redactJson, redactText);
  };
  return { values, pattern, redactText, redactJson, replaceIn };
}

function maskOf(name: string | undefined): string {
  return name === undefined ? '[redacted]' : `[redacted:${name}]`;
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
  const { redactJson } = secretsOf(env);
  // Numbers and names of an event's own fields are no secret, and other ones would be no event.
  const redactField = (value: unknown) => (typeof value === 'number' ? value : redactJson(value));
  return (type, data) => {
    const redacted =
      typeof data === 'string' ? redactField(data) : withItems(data, redactField, (key) => key);
    const { unredacted } = descriptorOf(type);
    return unredacted === undefined || redacted === data ? redacted : withFields(redacted, data, unredacted);
  };
}

/** A redacted value with these fields as they were before. */
function withFields(redacted: unknown, before: unknown, fields: Fields): unknown {
  if (!isJsonObject(redacted) || !isJsonObject(before)) return redacted;
  const copy = { ...redacted };
  for (const [key, inside] of Object.entries(fields)) {
    if (Object.hasOwn(before, key))
      copy[key] = inside === true ? before[key] : withFields(redacted[key], before[key], inside);
  }
  return copy;
}

/** Secret values, and passwords of URLs, each with the variable it comes from. */
function secretNames(env: Readonly<Record<string, string | undefined>>): {
  names: Map<string, string>;
  passwords: Map<string, string>;
} {
  const names = new Map<string, string>();
  const passwords = new Map<string, string>();
  const add = (secret: string, name: string) => {
    for (const form of [secret, ...escapedForms(secret)]) if (!names.has(form)) names.set(form, name);
  };
  for (const [name, value = ''] of Object.entries(env)) {
    if (value.length >= MIN_SECRET_LENGTH && isSecretName(name))
      for (const secret of [value, ...partsOf(value)]) add(secret, name);
    for (const found of value.match(labelledShapes) ?? []) {
      const { secret = '' } = labelledIn(found) ?? {};
      if (secret.length >= MIN_SECRET_LENGTH) add(secret, name);
    }
    for (const found of value.match(urlShapes) ?? []) {
      const { user, password } = credentialsIn(found);
      if (isTokenAsUser(user)) add(user, name);
      if (password === '') continue;
      for (const form of [password, decoded(password)]) {
        passwords.set(form, name);
        // A shorter one is a secret only where it stands in a URL.
        if (form.length >= MIN_SECRET_LENGTH) add(form, name);
      }
    }
  }
  return { names, passwords };
}

/** A secret as it stands in JSON, in JSON that is a text in JSON, and in a URL. */
function escapedForms(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret.toWellFormed());
  return [
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    inUrl,
    inUrl.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
    inUrl.replaceAll('%20', '+'),
  ];
}

/** Of `Bearer <token>`, or of several keys, what is a secret without the rest. */
function partsOf(value: string): string[] {
  const parts = value.split(/[\s,;]+/);
  return parts.length > MAX_PARTS
    ? []
    : parts.filter((part) => part.length >= MIN_SECRET_LENGTH && isPassword(part));
}

/** A part of a URL as it was before it was escaped. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The same value, not a copy, when there was nothing to replace. */
function withItems(
  value: unknown,
  redactItem: (item: unknown) => unknown,
  redactKey: (key: string) => string,
): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => redactItem(item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  let hasSecretKey = false;
  for (const [key, item] of Object.entries(value)) {
    hasSecretKey ||= redactKey(key) !== key;
    const redacted = redactItem(item);
    if (redacted === item) continue;
    copy ??= { ...value };
    copy[key] = redacted;
  }
  return hasSecretKey ? withKeys(copy ?? value, redactKey) : (copy ?? value);
}

/** Two secrets that were keys are still two. */
function withKeys(value: Record<string, unknown>, redactKey: (key: string) => string): object {
  const taken = new Map<string, number>();
  const entries = Object.entries(value).map(([before, item]) => {
    const key = redactKey(before);
    const count = (taken.get(key) ?? 0) + 1;
    taken.set(key, count);
    return [count === 1 ? key : `${key} (${count})`, item];
  });
  return Object.fromEntries(entries) as object;
}
