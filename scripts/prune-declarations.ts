import { glob, readFile, rm } from 'node:fs/promises';
import { join, normalize } from 'node:path/posix';

/** `from './x.ts'`, `import './x.js'`, `import('./x.ts')`. */
const relativeImport = /(?:\bfrom|\bimport|\bimport\()\s*["'](\.[^"']*)["']/g;

/**
 * Removes the declarations that no reader of `entry` can reach: tsc writes one for every source, and
 * those of the inside name packages that are bundled.
 *
 * @param entry - Relative to `directory`: `index.d.ts`.
 */
export async function pruneDeclarations(directory: string, entry: string): Promise<void> {
  const reachable = new Set<string>();
  await collect(directory, entry, reachable);
  for await (const file of glob('**/*.d.ts', { cwd: directory })) {
    if (!reachable.has(file.replaceAll('\\', '/'))) await rm(join(directory, file));
  }
}

async function collect(directory: string, file: string, reachable: Set<string>): Promise<void> {
  if (reachable.has(file)) return;
  reachable.add(file);
  const text = await readFile(join(directory, file), 'utf8');
  for (const [, specifier = ''] of text.matchAll(relativeImport)) {
    const target = normalize(join(file, '..', specifier)).replace(/(?:\.d)?\.[jt]sx?$/, '.d.ts');
    await collect(directory, target, reachable);
  }
}
