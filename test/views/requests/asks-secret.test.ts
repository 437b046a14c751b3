import { expect, it } from 'vitest';
import { secretIn } from '../../../src/views/requests/asks-secret.ts';
import { approval } from '../../helpers/approval.ts';

const port = { title: 'Port', question: 'Which port?' };

it.each<[is: ReturnType<typeof secretIn>, asked: Parameters<typeof secretIn>[0]]>([
  ['asked', { kind: 'prompt', question: 'Password:' }],
  [undefined, { kind: 'prompt', question: 'Overwrite?' }],
  // Whoever made the request has decided it.
  ['asked', { kind: 'prompt', question: 'Kata laluan:', secret: true }],
  ['named', { kind: 'prompt', question: 'Name of the token?', secret: false }],
  ['named', { kind: 'clarification', question: 'Which API key is to be used?' }],
  ['named', { kind: 'help', question: 'A few things', questions: [port, { title: 'Token' }] }],
  [undefined, { kind: 'help', question: 'A few things', questions: [port] }],
  [undefined, { kind: 'approval', question: 'Allow vault/read_secret?', approval }],
])('is, or is not, about a secret: %s, %j', (is, asked) => {
  expect(secretIn(asked)).toBe(is);
});
