import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../../lib/message-of.ts';
import { requestById } from '../../../workflow/requests/find-request.ts';
import { CliffordError } from '../../../errors.ts';
import { isReplaced } from '../../../events/log/log-replaced.ts';
import { countsText, sprintsIn, type SprintRow } from '../../../views/sprints/overview.ts';
import { byUrgency } from '../../../views/requests/request-order.ts';
import type { InboxItem } from '../../../views/requests/inbox.ts';
import type { SentProjectRow } from '../../api/projects.ts';
import { presentHead } from '../present/present-question.ts';
import type { Serving } from '../serving.ts';
import { pathOf } from './project-path.ts';
import type { ListedPlace } from './served-projects.ts';

/** A project that takes longer to say how it stands is not waited for, in ms: its log may be on a server that is away. */
const PATIENCE_MS = 3_000;

type Looked = { readonly row: SentProjectRow; readonly first?: InboxItem | undefined };

/**
 * What is said of all projects: those first in which something waits, the greatest risk first, then those that run, then by name. Of one
 * that cannot be looked at it is why.
 *
 * @param report - Told of bugs.
 */
export async function presentProjects(
  places: readonly ListedPlace[],
  report: (problem: unknown) => void,
): Promise<SentProjectRow[]> {
  const looked = await Promise.all(places.map((place) => lookAt(place, report)));
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

async function lookAt({ name, is }: ListedPlace, report: (problem: unknown) => void): Promise<Looked> {
  const nothing = { name, path: pathOf(name), sprints: 0, standing: '', running: 0, waiting: 0 };
  if ('whyNot' in is) return { row: { ...nothing, ...is } };
  const { serving } = is.served;
  const over = new AbortController();
  const late = pause(PATIENCE_MS, 'its log does not answer', { signal: over.signal });
  late.catch(() => undefined);
  try {
    const whyNot = await Promise.race([refresh(serving), late]);
    return whyNot === undefined ? lookIn(serving, nothing) : { row: { ...nothing, whyNot } };
  } catch (error) {
    // Who follows it is told of nothing where it is as long as before.
    if (isReplaced(error)) is.fail(error);
    if (error instanceof CliffordError) return { row: { ...nothing, whyNot: error.inOneLine } };
    report(error);
    return { row: { ...nothing, whyNot: messageOf(error) } };
  } finally {
    over.abort();
  }
}

async function refresh({ project, rows }: Serving): Promise<undefined> {
  await project.refresh();
  await rows.look();
}

function lookIn({ project, rows: known, extras }: Serving, nothing: SentProjectRow): Looked {
  const { rows, inbox } = known.overview();
  const [first] = inbox;
  const request = first && requestById(project.state, first.id);
  const sprints = sprintsIn(rows);
  const lastEventAt = lastOf(rows);
  const row = {
    ...nothing,
    sprints: sprints.length,
    standing: countsText(rows),
    tasks: tasksOf(sprints),
    ...(lastEventAt === undefined ? {} : { lastEventAt }),
    running: rows.filter(({ runs }) => runs.is === 'running').length,
    waiting: inbox.length,
    ...(request && {
      first: presentHead(request, project.root, first.isAwaited, extras.aboutFiles(request)),
    }),
  };
  return { row, first };
}

function tasksOf(sprints: readonly SprintRow[]): NonNullable<SentProjectRow['tasks']> {
  const sum = (of: 'total' | 'done' | 'failed' | 'setAside' | 'blocked') =>
    sprints.reduce((all, sprint) => all + sprint[of], 0);
  return {
    total: sum('total'),
    done: sum('done'),
    failed: sum('failed'),
    setAside: sum('setAside'),
    blocked: sum('blocked'),
  };
}

/** When something happened last, in a sprint or outside of any. */
function lastOf(rows: readonly SprintRow[]): string | undefined {
  return rows
    .flatMap(({ sprint: { lastEventAt } }) => lastEventAt ?? [])
    .toSorted()
    .at(-1);
}
