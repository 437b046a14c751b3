import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StderrLog } from '../../../src/gateway/transport/stderr-log.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

it('has the last 8 KiB at hand, however much a server prints, and in whatever parts', async () => {
  const log = new StderrLog(join(await tempRoot(), 'mcp', 'it.log'), (problem) => {
    throw new Error(problem);
  });
  log.write(Buffer.from('a'.repeat(10_000)));
  expect(log.tail()).toBe('a'.repeat(8_192));
  log.write(Buffer.from('b'.repeat(192)));
  expect(log.tail()).toBe('a'.repeat(8_000) + 'b'.repeat(192));
  log.close();
});
