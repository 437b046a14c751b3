import type { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { openApiOfAll } from '../../api/open-api.ts';
import { everywhereEndpoints, type SentProjects } from '../../api/projects.ts';
import { addEndpoints, guardedApp, noAddress } from '../guarded-app.ts';
import type { AppEnv, Gate } from '../guards/gate.ts';
import { apiHeaders } from '../guards/security-headers.ts';
import type { PageFiles } from '../page-files.ts';
import { refusal, refuse } from '../refuse.ts';
import { sendPage } from '../send-page.ts';
import { nameAt } from './project-path.ts';

/** A project is below this, by its name. */
const PREFIX = /^\/p\/[^/]+/;

/** The path of a request within the project that it is about. */
export function pathInProject(request: Request): string {
  return getPath(request).replace(PREFIX, '') || '/';
}

/** What answers about one project, or why nothing can. */
export type FoundProject = { readonly app: Hono<AppEnv> } | { readonly whyNot: string };

type EverywhereDeps = {
  readonly version: string;
  readonly gate: Gate;
  /** `undefined`: it was not built. */
  readonly page: () => PageFiles | undefined;
  readonly report: (problem: unknown) => void;
  readonly list: () => Promise<SentProjects>;
  /** The project of that name; `undefined`: none is listed. */
  readonly find: (name: string) => Promise<FoundProject | undefined>;
};

/**
 * Lists all projects at `/`, and hands what is below `/p/<name>/` to the project of that name. Names are looked up among those
 * that are listed. Whoever has no token is told the same of every name: the page, which knows nothing, and a refusal.
 */
export function createEverywhereApp({
  version,
  gate,
  page,
  report,
  list,
  find,
}: EverywhereDeps): Hono<AppEnv> {
  const app = guardedApp({ gate, report });
  addEndpoints(app, everywhereEndpoints, { projects: list });
  app.get('/api/openapi.json', () => Response.json(openApiOfAll(version), { headers: apiHeaders }));
  app.all('/p/:project/api/*', async (c) => {
    const passed = await gate.pass(c);
    const found = await find(nameAt(c.req.param('project')));
    if (found && 'app' in found) return found.app.fetch(c.req.raw, { ...c.env, passed });
    if (!found) throw unknownProject();
    throw refusal(
      503,
      'PROJECT_AWAY',
      `Cannot look at this project: ${found.whyNot}`,
      'It is tried again by itself, within half a minute',
    );
  });
  // What the page loads is beside it. The name stays as it came: what it stands for may be in no header.
  app.get('/p/:project', (c) => c.redirect(`./${new URL(c.req.url).pathname.split('/').at(-1)}/`, 308));
  app.get(
    '/p/:project/*',
    (c) => sendPage(pathInProject(c.req.raw), page(), 'project') ?? refuse(noAddress(c)),
  );
  app.get('*', (c) => sendPage(c.req.path, page(), 'projects') ?? refuse(noAddress(c)));
  return app;
}

function unknownProject() {
  return refusal(
    404,
    'PROJECT_UNKNOWN',
    'Cannot find this project: none of that name is in the list',
    'See those that there are at /api/projects, or list it with: clifford projects add <folder>',
  );
}
