import { basename } from 'node:path';
import { CliffordError } from '../errors.ts';
import { shellWord } from '../lib/text/shell-word.ts';
import { listProjects } from '../workflow/projects/known-projects.ts';
import type { Env } from '../workflow/project/who-calls.ts';

/** What a project is called where somebody is told of it who may be elsewhere. */
export type NamedProject = {
  /** Of others: not made safe yet. */
  readonly name: string;
  /** Its user has listed others: what is told has to say which it is. */
  readonly isOneOfSeveral: boolean;
  /** How its commands begin, in whichever folder they are typed. */
  readonly called: string;
};

/** What its user calls a project by now. `root`: a real path. A list that cannot be read names none. */
export async function namedProject(env: Env, root: string): Promise<NamedProject> {
  const [listed, all] = await Promise.all([projects(env), projects(env, root)]);
  const name = all.find((each) => each.root === root)?.name ?? basename(root);
  const isOneOfSeveral = all.length > 1;
  const isListed = listed.some((each) => each.root === root);
  const called = isOneOfSeveral && isListed ? `clifford --project ${shellWord(name)}` : 'clifford';
  return { name, isOneOfSeveral, called };
}

async function projects(env: Env, here?: string) {
  try {
    return await listProjects(env, here);
  } catch (error) {
    if (error instanceof CliffordError) return [];
    throw error;
  }
}
