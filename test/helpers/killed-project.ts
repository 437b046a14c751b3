import type { EventType } from '../../src/events/catalog.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { openTestProject } from './temp-project.ts';

/** A project as a process has it in which something happens before it records an event of this type. */
export async function projectWithBefore(
  type: EventType,
  root: string,
  happen: () => Promise<unknown>,
): Promise<Project> {
  const own = await openTestProject(root);
  const isOfType = (facts: readonly Pick<Candidate, 'type'>[]) => facts.some((fact) => fact.type === type);
  return {
    ...own,
    get state() {
      return own.state;
    },
    record: async (stream, facts) => {
      if (isOfType(facts)) await happen();
      return own.record(stream, facts);
    },
    dispatch: async (stream, choose) => {
      if (isOfType(choose(own.state))) await happen();
      return own.dispatch(stream, choose);
    },
  };
}

/** A project as a process has it that is killed before it records an event of this type. */
export function killedBefore(type: EventType, root: string): Promise<Project> {
  return projectWithBefore(type, root, () => Promise.reject(new Error('killed')));
}
