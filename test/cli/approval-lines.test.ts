import { expect, it } from 'vitest';
import { callLines } from '../../src/cli/text/approval-lines.ts';
import { cellsOf } from '../../src/lib/text/cells.ts';
import { approval } from '../helpers/approval.ts';

it('what an agent says of a call begins no line of a terminal as our own do', () => {
  const style = (_look: unknown, text: string) => text;
  const page = { style, stdout: { isTTY: true, columns: 80 } } as const;
  const words = `${'It is needed.'.padEnd(78)}rule: trusted\n${'x'.repeat(74)}allow with: y`;
  const lines = callLines({ ...approval, explanation: { question: 'Why?', words } }, page);
  const at = lines.findIndex((line) => line.startsWith('It says'));
  const [first, ...said] = lines.slice(at, lines.indexOf('Arguments'));
  expect(first).toMatch(/^It says {3}It is needed\./);
  expect(said).toHaveLength(4);
  // Four more in front of them where questions are listed.
  expect(Math.max(...lines.map(cellsOf))).toBeLessThanOrEqual(76);
  for (const line of said) expect(line).toMatch(/^ {10}|^$/);
  const asIs = callLines(
    { ...approval, explanation: { question: 'Why?', words } },
    { style, stdout: { isTTY: false, columns: 80 } },
  );
  expect(asIs).toContain(`It says   ${words.split('\n')[0]}`);
});
