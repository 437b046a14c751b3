import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { offersIn, partsIn } from '../../src/cli/requests/offers.ts';
import { startEverywhere } from '../../src/web/server/everywhere/everywhere-server.ts';
import type { WebServer } from '../../src/web/server/web-server.ts';
import { openProjects } from '../../src/workflow/projects/open-projects.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import type { Source } from '../../src/events/envelope.ts';
import type { KnownProject } from '../../src/workflow/projects/known-projects.ts';
import { askServer, type Reply, type Sent } from './web-server.ts';

/** A server of several projects. */
export type ServedEverywhere = {
  readonly server: WebServer;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly problems: string[];
  /** What is listed from the next look on. */
  readonly list: (known: readonly KnownProject[]) => void;
  readonly ask: (path: string, sent?: Sent) => Promise<Reply>;
};

type Options = {
  readonly pageFolder?: string;
  /** Told of each project that is open. */
  readonly opened?: (name: string) => void;
  /** Waited for before the list is read. */
  readonly reading?: () => Promise<void>;
  /** Waited for before one is opened. */
  readonly opening?: () => Promise<void>;
  /** Waited for once one is closed. */
  readonly closing?: (name: string) => Promise<void> | undefined;
  /** Waited for before what has happened in one is read. */
  readonly refreshing?: (name: string) => Promise<void> | undefined;
};

/** Serves projects together until the test is finished. */
export async function servedEverywhere(
  projects: readonly KnownProject[],
  { pageFolder, opened: told, reading, opening, closing, refreshing }: Options = {},
): Promise<ServedEverywhere> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'clifford-test-home-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { HOME: home, XDG_STATE_HOME: home };
  const problems: string[] = [];
  let known = projects;
  const server = await startEverywhere({
    env,
    version: '0.0.0',
    by: 'ada',
    pageFolder: pageFolder ?? join(home, 'page'),
    port: 0,
    report: (problem) => problems.push(String(problem)),
    known: async () => {
      await reading?.();
      return known;
    },
    open: async (each) => {
      await opening?.();
      const { opened, closed, close } = await openProjects([each], { env, source: '/clifford/web' });
      const [project] = opened.map((one) => one.project);
      if (!project) return { whyNot: closed[0]?.reason ?? 'gone' };
      told?.(each.name);
      return {
        project: waiting(project, () => refreshing?.(each.name)),
        env,
        processes: { hasRunner: () => false, isAlive: () => true },
        findExtras: { offersFor: offersIn({ env }, project), partsOf: partsIn({ env }, project) },
        close: async () => {
          await close();
          await closing?.(each.name);
        },
      };
    },
  });
  onTestFinished(() => server.close());
  return {
    server,
    env,
    problems,
    list: (next) => (known = next),
    ask: (path, sent = {}) => askServer(server, path, sent),
  };
}

function waiting(project: Project, refreshing: () => Promise<void> | undefined): Project {
  return new Proxy(project, {
    get: (target, key) => {
      if (key === 'as') return (source: Source) => waiting(target.as(source), refreshing);
      if (key !== 'refresh') return Reflect.get(target, key) as unknown;
      return async () => {
        await refreshing();
        return target.refresh();
      };
    },
  });
}
