import { expect, it } from 'vitest';
import { checkTerminal } from '../../../src/cli/doctor/system-checks.ts';

it('a terminal that says it has no size is as large as the screen that is drawn on it', () => {
  const { signal } = new AbortController();
  const place = { root: '/', cwd: '/', stateDir: undefined, env: { LANG: 'C.UTF-8' }, signal };
  const stdout = { isTTY: true, columns: 0, rows: 0, getColorDepth: () => 8 };
  const { status, text } = checkTerminal({ ...place, stdin: { isTTY: true }, stdout });
  expect({ status, text }).toEqual({ status: 'good', text: 'terminal 80x24, 256 colours, Unicode' });
});
