import { glob, readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

/** `from 'x'`, `import 'x'`, `import('x')` and `<reference types="x" />`, for an x that is not a relative path. */
const packageImport = /(?:\bfrom|\bimport|\bimport\(|<reference types=)\s*["']([^."'][^"']*)["']/g;

/**
 * Makes sure that a reader of our types has the packages they name: those that are bundled are not installed.
 *
 * @throws {Error} naming each declaration that imports a package outside `dependencies`.
 */
export async function checkDeclarations(directory: string, dependencies: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for await (const file of glob('**/*.d.ts', { cwd: directory })) {
    const text = await readFile(join(directory, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(packageImport)) {
      const name = packageOf(specifier);
      if (!dependencies.includes(name) && !isBuiltin(name)) missing.push(`${file} imports ${specifier}`);
    }
  }
  if (missing.length === 0) return;
  throw new Error(
    `Cannot publish the declarations: each package they import must be among the dependencies, but\n` +
      `${missing.map((line) => `  ${line}\n`).join('')}` +
      `Keep the type out of what src/index.ts reaches, or move its package to "dependencies"`,
  );
}

function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** Node's own modules come with `@types/node`, which everyone who types a Node program has. */
function isBuiltin(name: string): boolean {
  return name === 'node' || name.startsWith('node:') || builtinModules.includes(name);
}
