import { basename } from 'node:path';
import { CliffordError } from '../errors.ts';
import { calledIn } from '../workflow/projects/commands-called.ts';
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
  const listed = await projects(env, root);
  const known = listed.find((each) => each.root === root);
  const name = known?.name ?? basename(root);
  const isOneOfSeveral = listed.length > 1;
  const called = isOneOfSeveral && known?.isListed === true ? calledIn(name) : 'clifford';
  return { name, isOneOfSeveral, called };
}

async function projects(env: Env, here: string) {
  try {
    return await listProjects(env, here);
  } catch (error) {
    if (error instanceof CliffordError) return [];
    throw error;
  }
}
