import { lstat, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isHeld, tryHold } from '../../lib/files/kernel-lock.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { AtModel } from '../agents/at-model.ts';

/** The sprint of a proof, and its only task. */
export const SPRINT = 'proof';
export const TASK = 'try';

/** How such places begin, and what is locked in each while it is in use. */
const PREFIX = 'clifford-proof-';
const LOCK = 'lock';

/** How old one has to be that nobody has locked yet, in ms. */
const MADE_MS = 60_000;

/** What an agent writes while it ends may come in between. */
const whole = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/** A home with a project in it, for one agent and one run of it. */
export type ProofPlace = {
  readonly home: string;
  readonly project: string;
  readonly sprintDir: string;
  /** For temporary files. */
  readonly temporary: string;
  readonly remove: () => Promise<void>;
};

/**
 * Makes one, and removes those that were left by who was killed. Nothing of the user's is in it: no configuration, no login, no
 * session, no trust.
 */
export async function makeProofPlace(): Promise<ProofPlace> {
  // The temporary folder of macOS is a link, and agents tell where they are by the folder itself.
  const temporaries = await realpath(tmpdir());
  await removeLeft(temporaries);
  const base = await mkdtemp(join(temporaries, PREFIX));
  const lock = tryHold(join(base, LOCK));
  const home = join(base, 'home');
  const project = join(home, 'project');
  const sprintDir = join(project, 'sprints', SPRINT);
  const place = { home, project, sprintDir, temporary: join(base, 'tmp') };
  await mkdir(join(project, STATE_DIR), { recursive: true, mode: 0o700 });
  await mkdir(sprintDir, { recursive: true });
  await mkdir(place.temporary);
  const tasks = [{ id: TASK, file: `${TASK}.md`, status: 'pending' }];
  const manifest = { id: SPRINT, name: 'Whether permission is waited for', status: 'pending', tasks };
  await write(sprintDir, {
    'manifest.json': JSON.stringify(manifest),
    [`${TASK}.md`]: '# Try two commands\n',
  });
  return {
    ...place,
    remove: async () => {
      lock?.release();
      await rm(base, whole);
    },
  };
}

/** Of this user, and in use by nobody. */
async function removeLeft(temporaries: string): Promise<void> {
  const names = await readdir(temporaries).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const base = join(temporaries, name);
    const found = await lstat(base).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    if (Date.now() - found.mtimeMs < MADE_MS || isHeld(join(base, LOCK)) !== false) continue;
    // What cannot be removed now is there the next time.
    await rm(base, whole).catch(() => undefined);
  }
}

/** Puts an agent's configuration into the place, and the user's model out of its reach. Returns its environment. */
export async function settle(
  { home, project, temporary }: ProofPlace,
  { files = {}, env }: AtModel,
  config: object,
  users: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, string>> {
  await write(home, files);
  await write(project, { 'clifford.json': JSON.stringify(config) });
  // By name: any other variable of the user's may hold a key, a proxy or the folder of a login.
  const kept = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'USER', 'LOGNAME', 'SHELL'].flatMap((name) => {
    const value = users[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), HOME: home, TMPDIR: temporary, NO_COLOR: '1', ...env };
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeAtomically(join(folder, path), text);
  }
}
