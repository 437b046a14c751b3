import { overviewOf, type Overview, type SprintRow } from './overview.ts';

/** A project among several, and its own overview. */
export type OverviewPart = { readonly project: string; readonly overview: Overview };

/** A sprint among those of several projects: its id has the project in front. No id of a sprint has a stroke in it. */
export function idAmong(project: string, sprint: string): string {
  return `${project}/${sprint}`;
}

/** The sprint that such an id is of; without a project, that of a single one. */
export function sprintAmong(id: string): { readonly project: string | undefined; readonly sprint: string } {
  const at = id.lastIndexOf('/');
  return at < 0 ? { project: undefined, sprint: id } : { project: id.slice(0, at), sprint: id.slice(at + 1) };
}

/**
 * One overview of several projects: all sprints, with the project in front of id and name, and all that waits for a human, in the order
 * of one.
 *
 * @param problems - What there is to say besides, before what each of them has to say.
 */
export function overviewOfAll(parts: readonly OverviewPart[], problems: readonly string[]): Overview {
  const rows = parts.flatMap(({ project, overview }) => overview.rows.map((row) => among(project, row)));
  const said = parts.flatMap(({ project, overview }) =>
    overview.problems.map((text) => `${project}: ${text}`),
  );
  return overviewOf(rows, [...problems, ...said]);
}

function among(project: string, row: SprintRow): SprintRow {
  const { sprint, waiting } = row;
  return {
    ...row,
    sprint: { ...sprint, id: idAmong(project, sprint.id), name: idAmong(project, sprint.name) },
    waiting: waiting.map((item) => ({ ...item, sprint: idAmong(project, item.sprint) })),
  };
}
