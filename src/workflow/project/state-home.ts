import { isAbsolute, join } from 'node:path';
import type { Env } from './who-calls.ts';

/**
 * A file of this user's that remembers something about projects, outside of them: `clifford/<name>` below
 * `XDG_STATE_HOME`, else below `~/.local/state`. `undefined`: there is no such folder, nothing is remembered.
 */
export function userStateFile(env: Env, name: string): string | undefined {
  const folder = userStateFolder(env);
  return folder && join(folder, name);
}

/** The folder of such files, absolute. */
export function userStateFolder(env: Env): string | undefined {
  const { XDG_STATE_HOME: xdg, HOME: home = '', USERPROFILE: profile = '' } = env;
  const own = home || profile;
  const folder = xdg && isAbsolute(xdg) ? xdg : isAbsolute(own) && join(own, '.local/state');
  return folder ? join(folder, 'clifford') : undefined;
}
