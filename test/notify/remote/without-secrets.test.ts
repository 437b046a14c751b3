import { expect, it } from 'vitest';
import { secretsOfLogin, secretsOfUrl, withoutSecrets } from '../../../src/notify/remote/without-secrets.ts';

const url = new URL('https://hook.test/webhook/7f3c-SECRET%2B24?key=QUERYSECRET1&a=b');

it.each([
  [
    'The requested webhook "POST 7f3c-SECRET%2B24" is not registered',
    'The requested webhook "POST …" is not registered',
  ],
  ['no 7f3c-SECRET+24', 'no …'],
  ['bad token QUERYSECRET1, b', 'bad token …, b'],
  [String.raw`{"m":"\/webhook\/7f3c-SECRET%2B24?key=QUERYSECRET1&a=b"}`, '{"m":"…"}'],
  ['see https://hook.test/webhook/7f3c-SECRET%2B24?key=QUERYSECRET1&a=b', 'see …'],
])('of what a service says to a secret address, as %j, no part is left', (said, safe) => {
  expect(withoutSecrets(said, secretsOfUrl(url))).toBe(safe);
});

it('leaves all of the words where an address has no path', () => {
  expect(withoutSecrets('a/b', secretsOfUrl(new URL('https://hook.test')))).toBe('a/b');
});

it('finds a login as mail servers say it', () => {
  const plain = Buffer.from('\0clifford\0hunter2hunter2').toString('base64');
  const alone = Buffer.from('hunter2hunter2').toString('base64');
  const said = `535 AUTH PLAIN ${plain}, ${alone}, hunter2hunter2`;
  expect(withoutSecrets(said, secretsOfLogin('clifford', 'hunter2hunter2'))).toBe('535 AUTH PLAIN …, …, …');
});
