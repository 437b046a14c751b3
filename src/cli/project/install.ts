import { delimiter, dirname, join, sep } from 'node:path';
import { realPath } from '../../lib/files/real-path.ts';
import { packageFile } from '../../package-file.ts';
import { findExecutable } from '../../lib/processes/find-executable.ts';

/** How this Clifford is installed, and the command line by which others start its MCP server. */
export type Install = {
  /** In words: `in this project`. */
  readonly where: string;
  /** The package's folder. */
  readonly folder: string;
  /** Among the project's own packages: whoever has the project has Clifford, too. */
  readonly isInProject: boolean;
  readonly serve: readonly [command: string, ...args: string[]];
  /** How a person calls it: before the name of a command. */
  readonly call: readonly [command: string, ...args: string[]];
};

/**
 * Finds out how Clifford is installed, as seen from a project: among the project's packages (`npx`, which is
 * told to fetch nothing), on the `PATH`, or anywhere else (Node and a path that only this machine has).
 */
export function findInstall(root: string, env: Readonly<Record<string, string | undefined>>): Install {
  const folder = dirname(packageFile('package.json'));
  const isHere = (path: string | undefined) => path !== undefined && realPath(path) === realPath(folder);
  if (isHere(join(root, 'node_modules', 'clifford'))) {
    const call = ['npx', '--no', 'clifford'] as const;
    const serve = [...call, 'mcp', 'serve'] as const;
    return { where: 'among the packages of this project', folder, isInProject: true, serve, call };
  }
  const command = onPath(root, env);
  if (command !== undefined && isHere(dirname(dirname(realPath(command) ?? ''))))
    return {
      where: `on the PATH (${command})`,
      folder,
      isInProject: false,
      serve: ['clifford', 'mcp', 'serve'],
      call: ['clifford'],
    };
  const serve = [process.execPath, packageFile('dist/mcp-entry.js')] as const;
  const call = [process.execPath, packageFile('dist/cli.js')] as const;
  return { where: folder, folder, isInProject: false, serve, call };
}

/** What the word `clifford` starts in a folder, whatever that is. */
export function onPath(cwd: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  return findExecutable('clifford', { cwd, path: lastingPath(env['PATH']) });
}

/** The `PATH` without what npm and npx put there for the one command they run. */
function lastingPath(path = ''): string {
  const passing = join('node_modules', '.bin');
  return path
    .split(delimiter)
    .filter((entry) => !entry.endsWith(passing) && !entry.includes(`${sep}_npx${sep}`))
    .join(delimiter);
}
