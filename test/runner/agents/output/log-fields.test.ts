import { describe, expect, it } from 'vitest';
import { logFields } from '../../../../src/runner/agents/output/log-fields.ts';

describe('the fields of a log line', () => {
  it.each([
    ['level=WARN key=a.b small=false', { level: 'WARN', key: 'a.b', small: 'false' }],
    ['message="it says \\"level=ERROR\\"" n=1', { message: 'it says "level=ERROR"', n: '1' }],
    [String.raw`path="C:\x" n=1`, { path: String.raw`C:\x`, n: '1' }],
    ['open="never closed', { open: '"never' }],
    ['no field', {}],
  ])('of %j', (line, fields) => {
    expect(logFields(line)).toEqual(fields);
  });
});
