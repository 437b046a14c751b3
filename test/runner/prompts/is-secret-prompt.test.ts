import { expect, it } from 'vitest';
import { isSecretPrompt } from '../../../src/runner/prompts/is-secret-prompt.ts';

it.each<[asks: boolean, question: string, context?: string]>([
  [true, 'Enter a value:', 'var.db_password\n  Password of the database.\n'],
  [true, 'Geben Sie einen Wert ein:', 'var.db_password'],
  [true, 'Bitte Wert eingeben:', 'var.db_password'],
  [true, 'Entrez une valeur :', 'var.db_password'],
  [true, 'Introduzca un valor:', 'var.db_password'],
  [false, 'Geben Sie einen Namen ein:', 'The token is read'],
  [true, '>', 'Paste the token that the page shows'],
  [false, 'Enter a value:', 'var.region\n  Where it is to run.\n'],
  [false, 'Enter a value:', `The token is read\n${'line\n'.repeat(8)}`],
  [false, 'Enter the name of the project:', 'The token is read'],
  [false, '? Имя проекта:', 'The token is read'],
  [false, '名前:', 'The token is read'],
  [true, 'Enter MFA code for arn:aws:iam::1:mfa/jane:'],
  [true, 'Enter API keys:'],
  [true, 'Enter api_key:'],
  [true, 'clientSecret:'],
  [true, 'accessToken:'],
  [true, 'authtoken:'],
  [true, 'userPassword:'],
  [true, 'Your TOTP:'],
  [true, 'PINs:'],
  [true, 'Recovery key:'],
  [true, 'Backup code:'],
  [true, 'Encryption key:'],
  [true, 'Seed phrase:'],
  [true, 'pwd:'],
  [true, 'JWT:'],
  [true, 'Please enter your GitHub PAT:'],
  [true, 'Enter SMS code:'],
  [true, 'Enter the code sent to your phone:'],
  [true, 'Unseal Key (will be hidden):'],
  [true, '验证码：'],
  [true, '認証コード：'],
  [false, 'Zip code:'],
  [false, 'Code style:'],
  [false, 'Path:'],
  [false, 'Enter spinning speed:'],
  [false, 'Secretary:'],
  [false, 'Enter file in which to save the key (/root/.ssh/id_rsa):'],
  [false, 'Tokenizer:'],
])('asks for a secret: %s: %s', (asks, question, context = '') => {
  expect(isSecretPrompt({ kind: 'text', question, context })).toBe(asks);
});

it('of what is asked with yes or no, words that stand in much else say nothing', () => {
  expect(isSecretPrompt({ kind: 'choice', question: 'Accept cookies? [y/N]', context: '' })).toBe(false);
});
