import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { KnownProject } from '../../../workflow/projects/known-projects.ts';
import { ALL_PROJECTS } from '../../../workflow/project/user-memory.ts';
import { STATE_DIR } from '../../../workflow/project/project-root.ts';
import type { Env, PlaceOfWork } from '../../../workflow/project/who-calls.ts';
import { createApp } from '../app.ts';
import { Gate } from '../guards/gate.ts';
import { listen, type ListenOptions } from '../listen.ts';
import { OpenStreams } from '../live/open-streams.ts';
import { pageIn } from '../page-files.ts';
import { serveProject, type ServedOptions } from '../served-project.ts';
import { Authenticator, type Identity } from '../tokens/authenticator.ts';
import { newToken, readTokens } from '../tokens/named-tokens.ts';
import type { WebServer } from '../web-server.ts';
import { createEverywhereApp, pathInProject } from './everywhere-app.ts';
import { presentProjects } from './present-projects.ts';
import { pathOf } from './project-path.ts';
import { ServedProjects, type ListedPlace } from './served-projects.ts';

/** After so long projects that are still being opened are not waited for any more, in ms: they come when they are there. */
const FIRST_MS = 5_000;

/** How to serve all projects of a user's list. */
export type EverywhereOptions = ListenOptions &
  Pick<ServedOptions, 'version' | 'allowsAlways'> & {
    readonly env: Env;
    /** Who answers with the token of this start, as the logs name them. */
    readonly by: string;
    /** The folder of the built page. */
    readonly pageFolder: string;
    /** The list, as it is at each look. */
    readonly known: () => Promise<readonly KnownProject[]>;
    /**
     * Opens one of them, or says in a line why that cannot be.
     *
     * @param url - Of its page, without a token.
     */
    readonly open: (known: KnownProject, url: string) => Promise<PlaceToServe | { readonly whyNot: string }>;
  };

/** A project that is open, and what it is served with. */
export type PlaceToServe = Omit<ServedOptions, 'version' | 'allowsAlways'> & {
  readonly close: () => Promise<void>;
};

/**
 * Serves all projects of a user's list until it is closed: a page that lists them, and below it that of each. One address and one
 * set of tokens open all of them.
 *
 * @throws {CliffordError} `PORT_TAKEN`, `HOST_UNUSABLE`, `CERTIFICATE_UNREADABLE`.
 */
export async function startEverywhere(options: EverywhereOptions): Promise<WebServer> {
  const { env, version, tls, report, allowsAlways } = options;
  const token = newToken();
  const authenticator = new Authenticator({
    own: { token, name: options.by },
    named: () => readTokens(env, ALL_PROJECTS),
  });
  const streams = new OpenStreams();
  const page = pageIn(options.pageFolder);
  let projects: ServedProjects | undefined;
  const list = async () => {
    await projects?.look();
    const problem = projects?.problem;
    return {
      version,
      now: new Date().toISOString(),
      projects: await presentProjects(projects?.places() ?? [], report),
      ...(problem === undefined ? {} : { problem }),
    };
  };
  const listening = await listen(options, ({ hosts, url, noteKnown }) => {
    const gate = new Gate({ authenticator, hosts, noteKnown, isTls: tls !== undefined });
    projects = new ServedProjects({
      known: options.known,
      report,
      open: async (known, fail) => {
        const opened = await options.open(known, url + pathOf(known.name));
        if ('whyNot' in opened) return opened;
        const { close, ...place } = opened;
        const how = {
          among: {
            name: known.name,
            list: '../../',
            places: () => (projects?.places() ?? []).map(placeOfWork),
          },
          ended: (identities: readonly Identity[]) => authenticator.ended(identities),
          streams,
          fail,
        };
        const served = await serveProject({ ...place, version, allowsAlways }, how).catch(
          async (error: unknown) => {
            await close();
            throw error;
          },
        );
        return {
          served,
          fail,
          app: createApp({ ...served, gate, page, report, fail, getPath: pathInProject }),
          close: async () => {
            served.end();
            await served.close();
            await close();
          },
        };
      },
    });
    return createEverywhereApp({
      version,
      gate,
      page,
      report,
      list,
      find: async (name) => projects?.find(name),
    }).fetch;
  });
  await projects?.look();
  await Promise.race([projects?.opened(), pause(FIRST_MS, undefined, { ref: false })]);
  return {
    url: listening.url,
    port: listening.port,
    token,
    streams: () => streams.count,
    // What cannot go on is one project, and listed as that.
    failed: new Promise<never>(() => undefined),
    close: async () => {
      projects?.end();
      await listening.close();
      await projects?.close();
    },
  };
}

/** Of one that cannot be opened its locks still say who is at work. */
function placeOfWork({ root, is }: ListedPlace): PlaceOfWork {
  return 'app' in is ? is.served.serving.project : { dir: join(root, STATE_DIR) };
}
