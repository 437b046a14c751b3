import { resolve } from 'node:path';
import type { CommandReading, ShellWord } from './command-reading.ts';
import { programName } from './program-name.ts';

/** Builtins after which relative paths start elsewhere. */
const moving = new Set(['cd', 'chdir', 'pushd', 'popd']);

/** What is looked at of a reading for the folders in which it runs. */
type Moving = Pick<CommandReading, 'commands' | 'line'>;

/** The folders that commands of a shell go to, as written, each once; `undefined` for one that is known only then. */
export function foldersEntered({ commands, line = commands }: Moving): ReadonlySet<ShellWord> {
  const folders = new Set<ShellWord>();
  for (const { words } of line) {
    const [name, ...args] = words;
    if (name === undefined || !moving.has(programName(name))) continue;
    const at = args.findIndex((word) => word === undefined || !/^-[LPe@]+$/.test(word));
    const [first, second] = at < 0 ? [] : args.slice(at);
    const folder = first === '--' ? second : first;
    // Without a folder, or with `-` or `+1`, it is one that was there before, or a home.
    folders.add(folder === undefined || /^[-+]/.test(folder) ? undefined : folder);
  }
  return folders;
}

/** So many folders in which relative paths of commands may start are looked at. */
export const MAX_FOLDERS = 32;

/**
 * Where relative paths of commands may start: where they run, and in the folders that they go to. Of more than
 * {@link MAX_FOLDERS} not all.
 */
export function startingFolders(cwd: string, reading: Moving = { commands: [] }): readonly string[] {
  let cwds = [cwd];
  for (const folder of foldersEntered(reading))
    if (folder !== undefined && cwds.length <= MAX_FOLDERS)
      cwds = [...new Set([...cwds, ...cwds.map((from) => resolve(from, folder))])];
  return cwds;
}
