import type { KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { notFound } from './refusal.ts';
import type { Serving } from './serving.ts';

/** The sprint of an id, also of one whose folder has come since the last look. @throws {Refusal} 404 where there is none */
export async function knownSprint({ sprints, rows, project }: Serving, id: string): Promise<KnownSprint> {
  const find = () => sprints.known().find((each) => each.id === id);
  const known = find();
  if (known) return known;
  await project.refresh();
  await rows.list();
  const found = find() ?? (project.state.streams.has(id) ? { id, folder: undefined } : undefined);
  if (!found) throw notFound(`sprint ${id}`);
  return found;
}
