import { visibleLine } from '../../lib/text/visible.ts';
import { CliffordError } from '../../errors.ts';
import { listProjects, type KnownProject } from '../../workflow/projects/known-projects.ts';
import { openProjects } from '../../workflow/projects/open-projects.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { inProject } from '../project/in-project.ts';
import { projectHere, projectsEverywhere } from '../project/with-projects.ts';
import { withMirror } from '../project/with-mirror.ts';
import { withSignals } from '../project/with-signals.ts';
import { withCalls } from '../run/with-calls.ts';
import { linksTo, servedIn, serverOf, type PageOrder } from './open-page.ts';
import { untilEnded } from './until-ended.ts';

/**
 * Serves the pages of all projects of the user's list until Ctrl-C, and their question files meanwhile.
 *
 * @throws {CliffordError} `PROJECT_UNKNOWN`: there are none; `PROJECTS_UNREADABLE`.
 */
export async function serveEverywhere(
  cli: Cli,
  { json, ...order }: PageOrder & { readonly json: boolean },
): Promise<void> {
  await projectsEverywhere(cli);
  const listed = await listProjects(cli.env);
  // The one it was typed in need not be in the list; one that was, and is taken out of it, is not served any more.
  const here = projectHere(cli);
  const other = listed.some(({ root }) => root === here) ? undefined : here;
  const { startEverywhere } = await import('../../web/server/everywhere/everywhere-server.ts');
  const { qr: _qr, ...listening } = order;
  const server = await startEverywhere({
    ...listening,
    ...serverOf(cli),
    env: cli.env,
    known: () => listProjects(cli.env, other),
    open: (known, url) => openPlace(cli, known, { url, ...order }),
  });
  await untilEnded(cli, server, { json, what: 'all your projects', ...order }, (ended) => ended);
}

/** Opens a project, and does beside it what is done while its page is served. */
async function openPlace(
  inherited: Cli,
  known: KnownProject,
  { url, ...order }: { readonly url: string } & Pick<PageOrder, 'host' | 'names'>,
) {
  const own = inProject(inherited, known);
  const note = (text: string) => own.note(`${visibleLine(known.name)}: ${text}`);
  const cli = { ...own, note };
  const { opened, closed } = await openProjects([known], { env: inherited.env, source: '/clifford/web' });
  const [project] = opened.map((each) => each.project);
  if (!project) return { whyNot: closed[0]?.reason ?? 'it is gone' };
  const over = Promise.withResolvers<void>();
  const beside = doBeside(cli, project, { linkTo: linksTo({ url }, order), over: over.promise });
  // Its page goes on all the same.
  beside.catch((error: unknown) => note(error instanceof CliffordError ? error.inOneLine : String(error)));
  return {
    ...servedIn(cli, project),
    close: async () => {
      over.resolve();
      await beside.catch(() => undefined);
      await project.close();
      for (const { inOneLine } of project.unwritten()) note(inOneLine);
    },
  };
}

function doBeside(
  cli: Cli,
  project: Project,
  { linkTo, over }: { readonly linkTo: ReturnType<typeof linksTo>; readonly over: Promise<void> },
): Promise<void> {
  const place = { project, isOnScreen: false };
  return withMirror(cli, project, place, () =>
    withSignals(cli, place, () => withCalls(cli, { ...place, isPageServed: true, linkTo }, () => over)),
  );
}
