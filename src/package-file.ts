import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The absolute path of a file that comes with this package, wherever the bundle has put this code. */
export function packageFile(path: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, path);
    if (folder === dirname(folder))
      throw new Error(`package.json is in no folder above ${import.meta.dirname}`);
  }
}

/** Where a page of the documentation is: it comes with this package. */
export function documentation(
  page: 'agents' | 'cli' | 'configuration' | 'events' | 'gateway' | 'notifications' | 'policy' | 'setup',
): string {
  return packageFile(`docs/${page}.md`);
}
