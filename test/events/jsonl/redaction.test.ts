import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { newEvent } from '../../../src/events/envelope.ts';
import { createRedactor } from '../../../src/events/redaction.ts';
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
