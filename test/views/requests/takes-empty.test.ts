import { expect, it } from 'vitest';
import { takesEmpty } from '../../../src/views/requests/takes-empty.ts';

const forKey = 'Enter passphrase (empty for no passphrase): \n';

it.each<[takes: boolean, question: string, about?: Partial<Parameters<typeof takesEmpty>[0]>]>([
  [true, 'Name (clifford):'],
  [false, 'Name (clifford):', { kind: 'help' }],
  [false, 'Name (clifford):', { untypable: true }],
  [false, 'Continue? [y/N]', { options: ['y', 'n'] }],
  [false, 'Password:'],
  [false, 'Kata laluan:', { secret: true }],
  [true, 'Name of the token?', { secret: false }],
  [true, 'Enter passphrase (empty for no passphrase):'],
  [true, 'Token (optional):'],
  [true, 'API key, or leave blank:'],
  [true, 'Password, or press Enter for none:'],
  [false, 'Password (must not be empty):'],
  [false, 'Password (not blank):'],
  [false, 'Password (non-empty):'],
  [false, 'Password (cannot be empty):'],
  [false, "Password (can't be empty):"],
  [false, 'Passphrase (may not be left blank):'],
  [false, 'Type your password and press Enter:'],
  [true, 'AWS Secret Access Key [None]:'],
  [true, 'AWS Secret Access Key [****ABCD]:'],
  [true, 'Token [keep current]:'],
  [true, 'Press any key to copy your one-time code', { awaitsKey: true }],
  // What may be empty is asked for twice.
  [true, 'Enter same passphrase again:', { context: forKey }],
  [false, 'Enter same passphrase again:', { context: 'Enter passphrase: \n' }],
  [false, 'Password:', { context: forKey }],
])('is typed an empty answer: %s, %s %j', (takes, question, about = {}) => {
  expect(takesEmpty({ kind: 'prompt', question, ...about })).toBe(takes);
});
