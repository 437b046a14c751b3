import { requestById } from '../../../workflow/requests/find-request.ts';
import { CliffordError } from '../../../errors.ts';
import { sprintsIn } from '../../../views/sprints/overview.ts';
import { byUrgency } from '../../../views/requests/request-order.ts';
import type { InboxItem } from '../../../views/requests/inbox.ts';
import type { SentProjectRow } from '../../api/projects.ts';
import { presentHead } from '../present/present-question.ts';
import type { Serving } from '../serving.ts';
import type { ListedPlace } from './served-projects.ts';

/** Where a project is, from the list of all. */
export function pathOf(name: string): string {
  return `p/${encodeURIComponent(name)}/`;
}

type Looked = { readonly row: SentProjectRow; readonly first?: InboxItem | undefined };

/** What is said of all projects: those first in which something waits, the greatest risk first, then those that run, then by name. */
export async function presentProjects(places: readonly ListedPlace[]): Promise<SentProjectRow[]> {
  const looked = await Promise.all(places.map(lookAt));
  return looked.toSorted(byNeed).map(({ row }) => row);
}

function byNeed(one: Looked, other: Looked): number {
  if (one.first && other.first) return byUrgency(one.first, other.first);
  return placeOf(one) - placeOf(other);
}

function placeOf({ row, first }: Looked): number {
  if (first) return 0;
  if (row.running > 0) return 1;
  return row.whyNot === undefined ? 2 : 3;
}

async function lookAt({ name, is }: ListedPlace): Promise<Looked> {
  const nothing = { name, path: pathOf(name), sprints: 0, running: 0, waiting: 0 };
  if ('whyNot' in is) return { row: { ...nothing, whyNot: is.whyNot } };
  const { serving } = is.served;
  try {
    await serving.project.refresh();
    await serving.rows.look();
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return { row: { ...nothing, whyNot: error.inOneLine } };
  }
  return lookIn(serving, nothing);
}

function lookIn({ project, rows: known, extras }: Serving, nothing: SentProjectRow): Looked {
  const { rows, inbox } = known.overview();
  const [first] = inbox;
  const request = first && requestById(project.state, first.id);
  const row = {
    ...nothing,
    sprints: sprintsIn(rows).length,
    running: rows.filter(({ runs }) => runs.is === 'running').length,
    waiting: inbox.length,
    ...(request && {
      first: presentHead(request, project.root, first.isAwaited, extras.aboutFiles(request)),
    }),
  };
  return { row, first };
}
