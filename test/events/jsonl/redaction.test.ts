import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { newEvent } from '../../../src/events/envelope.ts';
import { createRedactor } from '../../../src/events/secrets/redaction.ts';
import { reasonOf, skipped } from '../sample-events.ts';
import { openTestLog, tempLogPath } from './temp-log.ts';

const secret = 'correct-horse-battery';

it('a secret reaches neither the file nor the stored event; a human’s answer does', async () => {
  const path = await tempLogPath();
  const log = await openTestLog(path, { redact: createRedactor({ MY_SECRET: secret }) });
  const [event] = await log.append('s', [skipped('s', `it is ${secret}`)], { expectedVersion: 0 });
  expect(event && reasonOf(event)).toBe('it is [redacted:MY_SECRET]');
  expect(await readFile(path, 'utf8')).not.toContain(secret);

  const answer = newEvent('/clifford/cli', {
    type: 'help.answered',
    subject: 's',
    data: { requestId: 'q', response: secret, by: 'ann', via: 'cli' },
  });
  await log.append('s', [answer], { expectedVersion: 1 });
  expect(await readFile(path, 'utf8')).toContain(secret);
});

it('data nested a hundred thousand deep is refused with its type, whoever appends it', async () => {
  const log = await openTestLog(await tempLogPath(), { redact: createRedactor({ MY_SECRET: secret }) });
  const args = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as [];
  const event = newEvent('/clifford/cli', {
    type: 'tool.requested',
    subject: 's',
    data: { callId: 'c', server: 'x', tool: 'y', args, argsDigest: 'd' },
  });
  await expect(log.append('s', [event], { expectedVersion: 0 })).rejects.toMatchObject({
    code: 'EVENT_INVALID',
    message: expect.stringContaining(
      'Cannot append tool.requested to stream s: its data is nested more than',
    ) as string,
  });
});
