import { configEnvironment } from './config-environment.ts';
import { splitNul, type Git } from './git.ts';

/** Where a setting is written that comes with the repository. */
const OWN_SCOPES = new Set(['local', 'worktree']);

/**
 * An environment in which git runs no filter that the repository's own configuration names. For looks: what is committed
 * needs them.
 */
export async function withoutOwnFilters(git: Git): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await git.run([
    'config',
    '--show-scope',
    '-z',
    '--name-only',
    '--get-regexp',
    '^filter[.]',
  ]);
  const parts = splitNul(stdout.toString('utf8'));
  const keys = parts.filter((_, at) => at % 2 === 1 && OWN_SCOPES.has(parts[at - 1] ?? ''));
  const names = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('.'))));
  return configEnvironment(
    [...names].flatMap((name) => [
      [`${name}.clean`, ''],
      [`${name}.process`, ''],
      [`${name}.required`, 'false'],
    ]),
  );
}
