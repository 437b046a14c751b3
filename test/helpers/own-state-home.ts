import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What Clifford knows of the user who runs the tests is none of theirs, and what they leave there goes with them. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'clifford-test-state-'));
  process.env['XDG_STATE_HOME'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
