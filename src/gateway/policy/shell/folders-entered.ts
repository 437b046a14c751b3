import type { ShellCommand, ShellWord } from './command-reading.ts';
import { programName } from './starts-of.ts';

/** Builtins after which relative paths start elsewhere. */
const moving = new Set(['cd', 'chdir', 'pushd', 'popd']);

/** The folders that commands of a shell go to, as written, each once; `undefined` for one that is known only then. */
export function foldersEntered(commands: readonly ShellCommand[]): ReadonlySet<ShellWord> {
  const folders = new Set<ShellWord>();
  for (const { words } of commands) {
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
