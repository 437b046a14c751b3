import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Overview } from '../../views/sprints/overview.ts';
import { idAmong, overviewOfAll, sprintAmong } from '../../views/sprints/several-projects.ts';
import { troubleText } from '../../views/text/trouble-text.ts';
import { SprintRows } from '../../views/sprints/sprint-rows.ts';
import type { Processes } from '../../views/sprints/sprint-status.ts';
import type { Project } from '../../workflow/project/project.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { WatchedSprints } from '../../workflow/sprint/watched-sprints.ts';
import type { Commands } from '../screen/screen-state.ts';
import type { Clock } from '../terminal/clock.ts';
import { feedAgents, type MissingAgents } from './feed-agents.ts';
import { feedCommands } from './feed-commands.ts';
import { feedOverview } from './feed-overview.ts';
import type { OverviewActor } from './overview-actor.ts';

/** A project of the overview. */
export type OverviewSource = {
  readonly project: Project;
  /** Which runners and agents are there now. */
  readonly processes: Processes;
  /** What it is called, where it is one of several: ids of its sprints have that in front. */
  readonly name?: string | undefined;
  /** The command lines of these calls, taken apart. Default: none are. */
  readonly partsOf?: (waiting: readonly RequestState[]) => Promise<Commands>;
  /** Of sprints those that no run can begin for want of an agent. Default: all have one. */
  readonly missingAgents?: MissingAgents;
};

type Opened = OverviewSource & { readonly rows: SprintRows };

type FeedDeps = {
  readonly actor: OverviewActor;
  readonly clock: Clock;
  readonly tell: (overview: Overview) => void;
  readonly fail: (error: unknown) => void;
};

/** What an overview is of: one project, or several, which are shown as one. */
export class OverviewSources {
  readonly #problems: string[];
  #opened: readonly Opened[];

  private constructor(opened: readonly Opened[], problems: readonly string[]) {
    this.#opened = opened;
    this.#problems = [...problems];
  }

  /**
   * Looks at all of them.
   *
   * @param problems - Why others are not among them.
   * @throws of a single one what keeps it from being shown. Of several that is one more problem.
   */
  static async open(
    sources: readonly OverviewSource[],
    problems: readonly string[] = [],
  ): Promise<OverviewSources> {
    const looked = await Promise.all(sources.map(open));
    const opened = looked.flatMap((each) => ('rows' in each ? [each] : []));
    return new OverviewSources(opened, [
      ...problems,
      ...looked.flatMap((each) => ('problem' in each ? [each.problem] : [])),
    ]);
  }

  overview(): Overview {
    const [only] = this.#opened;
    if (only && only.name === undefined) return overviewNow(only);
    const parts = this.#opened.map((each) => ({ project: each.name ?? '', overview: overviewNow(each) }));
    return overviewOfAll(parts, this.#problems);
  }

  /** Tells the overview what happens in them, until the returned function is called. */
  feed({ actor, clock, tell, fail }: FeedDeps): () => void {
    const over = new AbortController();
    const news = () => tell(this.overview());
    const stops = new Map<Opened, () => void>();
    const failOf = (source: Opened) => (error: unknown) => {
      if (over.signal.aborted) return;
      if (source.name === undefined) return fail(error);
      if (!this.#opened.includes(source)) return;
      stops.get(source)?.();
      this.#opened = this.#opened.filter((each) => each !== source);
      this.#problems.push(problemOf(source.name, error));
      news();
    };
    for (const source of this.#opened) {
      const { project, rows, partsOf = () => Promise.resolve(new Map()) } = source;
      const failed = failOf(source);
      // A log that fails wakes nobody who listens, only those who wait for something.
      project.until(() => undefined, { signal: over.signal }).catch(failed);
      const feeds = [
        feedOverview({ project, rows, clock, tell: news, fail: failed }),
        feedCommands(actor, { project, partsOf }),
      ];
      stops.set(source, () => feeds.forEach((stop) => stop()));
    }
    const stopAgents = feedAgents(actor, { clock, missingAgents: (ids) => this.#missingAgents(ids) });
    return () => {
      over.abort();
      for (const stop of stops.values()) stop();
      stopAgents();
    };
  }

  async #missingAgents(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const asked = this.#opened.map(async ({ name, missingAgents }) => {
      const own = ids.map(sprintAmong).filter(({ project }) => project === name);
      // What is wrong with the configuration of one is said by its run.
      const missing = await missingAgents?.(own.map(({ sprint }) => sprint)).catch(() => undefined);
      return [...(missing ?? [])].map(([id, fix]): [string, string] => [
        name === undefined ? id : idAmong(name, id),
        fix,
      ]);
    });
    return new Map((await Promise.all(asked)).flat());
  }
}

async function open(source: OverviewSource): Promise<Opened | { readonly problem: string }> {
  const { project, processes, name } = source;
  try {
    await project.refresh();
    return {
      ...source,
      rows: new SprintRows({
        project,
        processes,
        sprints: await WatchedSprints.open(project),
        folderOf: (task) => workFolder(project, task),
      }),
    };
  } catch (error) {
    if (name === undefined) throw error;
    return { problem: problemOf(name, error) };
  }
}

/** With why it may be old. */
function overviewNow({ project: { trouble }, rows }: Opened): Overview {
  const overview = rows.overview();
  return trouble ? { ...overview, problems: [troubleText(trouble), ...overview.problems] } : overview;
}

function problemOf(name: string, error: unknown): string {
  return `${name} cannot be shown: ${error instanceof CliffordError ? error.inOneLine : messageOf(error)}`;
}
