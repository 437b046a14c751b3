import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempRoot } from './temp-project.ts';

/**
 * A folder for a `PATH` that has these programs, each as a shell script, and git, and nothing else: whatever
 * agents this machine has are out of sight.
 */
export async function fakePrograms(scripts: Readonly<Record<string, string>>): Promise<string> {
  const bin = join(await tempRoot(), 'bin');
  await mkdir(bin);
  await symlink(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(bin, 'git'));
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return bin;
}
