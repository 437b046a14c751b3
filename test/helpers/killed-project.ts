import type { EventType } from '../../src/events/catalog.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { openTestProject } from './temp-project.ts';

/** A project as a process has it that is killed before it records an event of this type. */
export async function killedBefore(type: EventType, root: string): Promise<Project> {
  const own = await openTestProject(root);
  return {
    ...own,
    get state() {
      return own.state;
    },
    record: async (stream, facts) => {
      if (facts.some((fact) => fact.type === type)) throw new Error('killed');
      return own.record(stream, facts);
    },
  };
}
