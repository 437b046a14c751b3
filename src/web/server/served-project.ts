import { SprintRows } from '../../views/sprints/sprint-rows.ts';
import type { Processes } from '../../views/sprints/sprint-status.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Env } from '../../workflow/project/who-calls.ts';
import { WatchedSprints } from '../../workflow/sprint/watched-sprints.ts';
import { PastOutput } from '../../workflow/transcripts/past-output.ts';
import { CallExtras, type FindExtras } from './call-extras.ts';
import { Histories } from './histories.ts';
import { LiveHub, type HubDeps } from './live/live-hub.ts';
import type { Serving } from './serving.ts';
import { TaskTitles } from './task-titles.ts';

/** What is served of a project, and how. */
export type ServedOptions = {
  /** Recorded through as `/clifford/web`; it is closed by whoever has opened it. */
  readonly project: Project;
  readonly env: Env;
  readonly processes: Processes;
  /** See {@link Serving}. Default: `clifford`. */
  readonly called?: string | undefined;
  /** Of the program. */
  readonly version: string;
  /** Takes a yes that stands from now on from other machines, too. */
  readonly allowsAlways?: boolean | undefined;
  readonly findExtras: FindExtras;
  /** For tests: how long a reader may take nothing, in ms. */
  readonly patienceMs?: number | undefined;
};

/** A project that is served. */
export type ServedProject = {
  readonly serving: Serving;
  readonly hub: LiveHub;
  /** Ends all streams. Safe to call twice. */
  readonly end: () => void;
  /** Once nothing is answered any more. */
  readonly close: () => Promise<void>;
};

/** Follows a project for those who look at it. @param among - Where it is one of several. */
export async function serveProject(
  {
    project: opened,
    env,
    processes,
    called = 'clifford',
    version,
    findExtras,
    allowsAlways,
    patienceMs,
  }: ServedOptions,
  { among, ...deps }: Pick<HubDeps, 'ended' | 'fail' | 'streams'> & Pick<Partial<Serving>, 'among'>,
): Promise<ServedProject> {
  const project = opened.as('/clifford/web');
  const sprints = await WatchedSprints.open(project);
  const serving: Serving = {
    project,
    among,
    env,
    version,
    processes,
    called,
    sprints,
    rows: new SprintRows({ project, sprints, processes }),
    titles: new TaskTitles(project),
    output: new PastOutput(project.dir),
    histories: new Histories(project),
    extras: new CallExtras(findExtras),
    allowsAlways: allowsAlways ?? false,
  };
  const hub = new LiveHub({ ...deps, serving, patienceMs });
  return {
    serving,
    hub,
    end: () => hub.close(),
    close: () => serving.histories.close(),
  };
}
