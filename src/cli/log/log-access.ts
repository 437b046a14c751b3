import { join, resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { accessConfig } from '../../events/jetstream/access-config.ts';
import { permissionsOf, ROLES, type Role } from '../../events/jetstream/access.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';
import { keptUsers, makeKeys } from './access-keys.ts';

/** Who is to have access to the log of a project, by role. */
export type AccessOrder = Readonly<Partial<Record<Role, readonly string[]>>> & {
  /** What the project is called on the server. */
  readonly project: string;
  /** The folder with everybody's keys, as it was typed. */
  readonly keys: string;
  readonly json?: true | undefined;
};

/** `clifford log access`: makes keys where they are missing, and prints what the configuration of the server needs. */
export function logAccess(cli: Cli, { project, keys, json, ...wanted }: AccessOrder): void {
  // Whoever gets in can answer.
  requireHuman(cli, 'let somebody in to a log', { dir: join(findProjectRoot(cli), STATE_DIR) });
  const folder = resolve(cli.cwd, keys);
  const named = ROLES.flatMap((role) => (wanted[role] ?? []).map((name) => ({ role, name })));
  for (const { name, file } of makeKeys(folder, project, named))
    cli.note(`made a key for ${name}: hand them the file ${file}`);
  const users = keptUsers(folder, project);
  if (users.length === 0) throw nobody(project, folder);
  const config = accessConfig(project, users);
  if (!json) return cli.print(config);
  const permissions = Object.fromEntries(ROLES.map((role) => [role, permissionsOf(project, role)]));
  cli.printJson({ project, users, permissions, config });
}

function nobody(project: string, folder: string): CliffordError {
  return new CliffordError(`Cannot let anybody in to the log of ${project}: no key for it is in ${folder}`, {
    code: 'LOG_NO_USERS',
    fix: 'Name those who are to have one, with --worker, --human or --auditor',
  });
}
