import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf, hasProcessTable } from '../../../src/lib/processes/process-table.ts';
import { hasNamespaces, ownProcesses } from '../../helpers/namespaces.ts';

const LAST_PID = '/proc/sys/kernel/ns_last_pid';

/** Starts and ends one process after the other, all with the same pid, and prints what is said of the folder of each, twice. */
const program = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { folderOf } from ${JSON.stringify(join(import.meta.dirname, '../../../src/lib/processes/process-table.ts'))};
const said = [];
while (said.length < 5) {
  writeFileSync('${LAST_PID}', '998');
  const child = spawn('sleep', ['60']);
  if (child.pid === 999) said.push([folderOf(999), folderOf(999)]);
  child.kill('SIGKILL');
  await once(child, 'exit');
}
console.log(JSON.stringify(said));
`;

describe.runIf(hasProcessTable)('the folder of a process', () => {
  it('is none where there is no such process', () => {
    expect(folderOf(2 ** 30)).toBeUndefined();
    expect(folderOf(process.pid)).toMatch(/^\d+ \d+$/);
  });

  it.runIf(hasNamespaces && existsSync(LAST_PID))(
    'is the same of one, and another one of the next with its pid',
    () => {
      const [file, ...args] = [...ownProcesses, process.execPath, '--input-type=module', '-e', program];
      const { stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
      const said: string[][] = JSON.parse(stdout || JSON.stringify(stderr));
      expect(said).toHaveLength(5);
      for (const [one, again] of said) expect(again).toBe(one);
      expect(new Set(said.map(([one]) => one))).toHaveProperty('size', 5);
    },
  );
});
