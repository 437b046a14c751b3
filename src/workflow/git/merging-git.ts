import { configEnvironment } from './config-environment.ts';
import { Git, splitNul, type GitPlace } from './git.ts';

/** A merge of texts as git makes it by itself. */
const PLAIN_MERGE = 'git merge-file --quiet --marker-size=%L %A %O %B';

/** What git is told besides: it does nothing in the background, and guesses no user. */
const SETTINGS = [
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['user.useConfigOnly', 'true'],
  ['advice.detachedHead', 'false'],
  ['rerere.enabled', 'false'],
  ['merge.conflictStyle', 'merge'],
] as const;

/**
 * Git for merges. No program runs that the configuration names for them: an agent may have written it, and it would run
 * outside of the agent's sandbox.
 *
 * @param configured - A folder whose configuration holds, where that of `place` is not there yet.
 */
export async function mergingGit(place: GitPlace, configured = place.cwd): Promise<Git> {
  const { stdout } = await new Git({ ...place, cwd: configured }).run([
    'config',
    '-z',
    '--name-only',
    '--get-regexp',
    String.raw`^merge\..*\.driver$`,
  ]);
  const drivers = new Set(splitNul(stdout.toString('utf8')));
  const settings = [...SETTINGS, ...[...drivers].map((key) => [key, PLAIN_MERGE] as const)];
  return new Git({ ...place, env: { ...place.env, ...configEnvironment(settings) } });
}
