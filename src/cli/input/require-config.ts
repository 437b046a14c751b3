import { configError } from '../../workflow/config/config-problem.ts';
import { readConfig, type ConfigReading } from '../../workflow/config/load-config.ts';
import type { Cli } from '../cli.ts';

/**
 * The configuration, for a command that works with it: what is unknown in it is named on stderr.
 *
 * @param needs - Whether the command needs a key. A variable that is not set is a note where it does not.
 * @throws {CliffordError} `CONFIG_INVALID`.
 */
export async function requireConfig(
  { env, note, configMemory }: Pick<Cli, 'env' | 'note' | 'configMemory'>,
  root: string,
  needs: (key: string) => boolean,
): Promise<ConfigReading> {
  const place = { root, env, configMemory };
  const reading = await readConfig(place);
  for (const { text } of reading.unknownKeys) note(text);
  const fatal = reading.problems.filter(
    ({ isVariable, path: [key] = [] }) => !isVariable || (typeof key === 'string' && needs(key)),
  );
  if (fatal.length > 0) throw configError(fatal);
  // Told here, and by nobody else while the file stays as it is.
  if (reading.problems.length > 0) await readConfig({ ...place, report: note });
  return reading;
}
