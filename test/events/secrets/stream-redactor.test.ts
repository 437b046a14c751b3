import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../../src/events/secrets/redaction.ts';
import { StreamRedactor } from '../../../src/events/secrets/stream-redactor.ts';

const env = {
  API_TOKEN: 'hunter2-hunter2-hunter2',
  DB_PASSWORD: 'two words\nand a line',
  DATABASE_URL: 'postgres://app:short@db',
};
const secrets = secretsOf(env);

const key = (words: string) =>
  `-----BEGIN ${words}PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(20)}-----END ${words}PRIVATE KEY-----`;
const pgpKey = `-----BEGIN PGP PRIVATE KEY BLOCK-----\nComment: of a man who left\n\n${'lQHYBFabcdefghijklmnopqrstuvwxyz0\n'.repeat(9)}=AbCd\n-----END PGP PRIVATE KEY BLOCK-----`;
const headedKey = pgpKey.replace('Comment:', 'Version: GnuPG v2\nComment:');
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl';
const samples = [
  env.API_TOKEN,
  env.DB_PASSWORD,
  'ghp_abcdefghijklmnopqrstuvwx',
  'github_pat_abcdefghijklmnopqrstuvwx',
  'sk-proj-abcdefghijklmnop',
  'AKIAABCDEFGHIJKLMNOP',
  'xoxb-12345678-abcdefgh',
  'AIzaSyA1234567890abcdefghij',
  'npm_abcdefghijklmnopqrstuvwx',
  'sk_live_abcdefghijklmnopqrstuvwx',
  `SG.${'abcdefgh'.repeat(3)}.${'abcdefgh'.repeat(3)}`,
  'ya29.abcdefghijklmnopqrstuvwx',
  `dp.pt.${'abcdefgh'.repeat(5)}`,
  'redis://cache:short@host',
  'https://user:s3cr3t-0f-others@host',
  jwt,
  key(''),
  key('RSA '),
  pgpKey,
  headedKey,
  // As in a file that is indented, in JSON, and in a string over several lines.
  headedKey.replaceAll('\n', '\n    '),
  JSON.stringify({ key: headedKey }).slice(8, -2),
  headedKey.replaceAll('\n', String.raw`${'\n'}\n`),
  headedKey.replaceAll('\n', String.raw`${'\n'}\r`),
  'Authorization: Bearer s3cr3t-0f-0thers',
  '"Authorization": "Basic s3cr3t0f0thers=="',
  'AccountKey=abcdefghijklmnop+/==',
  ';Password=s3cr3t-0f-0thers',
  'hooks.slack.com/services/T00000000/B00000000/abcdefgh',
  'https://abcdefghijklmn0pq@host',
  String.raw`two words\nand a line`,
];

/** What comes out when a text comes in these parts. */
function redactedIn(parts: readonly string[]): string {
  const redactor = new StreamRedactor(secrets);
  return parts.map((part) => redactor.push(part)).join('') + redactor.end();
}

function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end));
}

describe('secrets in a text that comes in parts', () => {
  it.each(samples.map((secret) => [secret.slice(0, 20), secret] as const))(
    '%j… is replaced wherever it is cut',
    (_name, secret) => {
      const text = `it is (${secret}) and no more`;
      const expected = secrets.redactText(text);
      expect(expected).not.toContain(secret);
      for (let at = 0; at <= text.length; at += 1)
        expect(redactedIn([text.slice(0, at), text.slice(at)])).toBe(expected);
    },
  );

  it('are replaced as in the log, however often it is cut', () => {
    const word = fc.constantFrom(
      ...samples,
      'sk',
      'eyJ',
      '-----BEGIN CERTIFICATE-----',
      ' ',
      '\n',
      'g',
      '.',
      'two words',
      '//',
      'https://a.b:80/',
      'x:y@z',
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }),
        fc.array(fc.nat(4000), { maxLength: 20 }),
        (words, places) => {
          const text = words.join(' ');
          expect(redactedIn(cut(text, places))).toBe(secrets.redactText(text));
        },
      ),
    );
  });

  it('hold back nothing else', () => {
    const redactor = new StreamRedactor(secrets);
    for (const text of ['Reading src/form.ts…', ' done\n', 'Continue? [y/N] ', '한국어 100 %\n', 'token: '])
      expect(redactor.push(text)).toBe(text);
  });

  it('leave what follows a key that was cut off', () => {
    const head = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n';
    const redactor = new StreamRedactor(secrets);
    expect(redactor.push(head)).toBe('');
    expect(redactor.push('That was the head of the key.\nMore')).toBe(
      '[redacted]\nThat was the head of the key.\nMore',
    );
  });

  it('are not waited for without end', () => {
    const redactor = new StreamRedactor(secrets);
    const out = redactor.push(`-----BEGIN PRIVATE KEY-----\n${'A'.repeat(40_000)}`) + redactor.push('after');
    expect(out).toBe('[redacted]after');
  });
});
