import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import { readOr } from '../../lib/processes/lock-holder.ts';
import { overviewOf, rowOf, type Overview, type SprintRow } from '../../views/overview.ts';
import type { Processes } from '../../views/sprint-status.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import { knownSprints, type KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { listSprintFolders, type SprintIndex } from '../../workflow/sprint/sprint-folders.ts';

/** The rows of the overview of a project: each is made anew when something of it has changed, and no other. */
export class SprintRows {
  readonly #project: Pick<Project, 'root' | 'state'>;
  readonly #processes: Processes;
  readonly #rows = new Map<string, SprintRow>();
  /** Rows that are to be made anew. */
  readonly #stale = new Set<string>();
  #index: SprintIndex = { sprints: [], broken: [] };
  #trouble: string | undefined;
  #limits: Project['state']['limits'];
  #stamps = new Map<string, number>();
  /** A folder has come or gone: what is written into it next is looked for, too. */
  #isFresh = false;

  private constructor(project: Pick<Project, 'root' | 'state'>, processes: Processes) {
    this.#project = project;
    this.#processes = processes;
    this.#limits = project.state.limits;
  }

  /** @throws {CliffordError} why the folders of sprints cannot be listed. */
  static async open(project: Pick<Project, 'root' | 'state'>, processes: Processes): Promise<SprintRows> {
    const rows = new SprintRows(project, processes);
    rows.#index = await listSprintFolders(project.root);
    rows.#stamps = rows.#readStamps();
    return rows;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Has what there is to say of a sprint said anew. */
  drop(id: string): void {
    this.#stale.add(id);
  }

  overview(): Overview {
    const { state } = this.#project;
    // They are of all sprints.
    if (state.limits !== this.#limits) this.#rows.clear();
    this.#limits = state.limits;
    const rows = this.#known().map((known) => {
      const kept = this.#stale.has(known.id) ? undefined : this.#rows.get(known.id);
      const row = kept ?? rowOf(known, state, this.#processes);
      this.#rows.set(known.id, row);
      return row;
    });
    this.#stale.clear();
    const { broken } = this.#index;
    const problems = broken.map(({ error }) => error.message);
    return overviewOf(rows, this.#trouble === undefined ? problems : [this.#trouble, ...problems]);
  }

  /**
   * Looks at what no event tells of: runners that came or died, and folders of sprints. Cheap: a lock or two `stat` for
   * each sprint that is not over.
   *
   * @returns whether something has changed.
   */
  async look(): Promise<boolean> {
    let hasChanged = false;
    for (const [id, { sprint, runs }] of this.#rows) {
      if (runs.is === 'over' || runs.is === 'outside') continue;
      if (this.#processes.hasRunner(id) === sprint.hasRunner) continue;
      this.#stale.add(id);
      hasChanged = true;
    }
    return (await this.#lookAtFolders()) || hasChanged;
  }

  /** Reads the folders of sprints again. */
  async list(): Promise<void> {
    try {
      this.#index = await listSprintFolders(this.#project.root);
      this.#trouble = undefined;
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      this.#trouble = error.message;
    }
    this.#stamps = this.#readStamps();
    this.#rows.clear();
  }

  async #lookAtFolders(): Promise<boolean> {
    const before = this.#stamps;
    const stamps = this.#readStamps();
    this.#stamps = stamps;
    const changed = [...stamps].filter(([dir, at]) => (before.get(dir) ?? at) !== at).map(([dir]) => dir);
    const wasFresh = this.#isFresh;
    this.#isFresh = changed.some((dir) => this.#parents().includes(dir));
    if (changed.length === 0 && !wasFresh) return false;
    await this.list();
    return true;
  }

  #parents(): string[] {
    const { root } = this.#project;
    return [join(root, 'sprints'), join(root, STATE_DIR, 'sprints')];
  }

  /** When the folders changed that nobody writes to but people: a runner has its own events. */
  #readStamps(): Map<string, number> {
    const idle = this.#index.sprints.filter(({ manifest }) => {
      const row = this.#rows.get(manifest.id);
      return row !== undefined && !row.sprint.hasRunner && row.runs.is !== 'over';
    });
    const dirs = [...this.#parents(), ...idle.map(({ dir }) => dir)];
    return new Map(dirs.map((dir) => [dir, readOr(0, () => statSync(dir).mtimeMs)]));
  }

  #known(): KnownSprint[] {
    const { state } = this.#project;
    const known = knownSprints(state, this.#index);
    const adhoc = state.streams.get(ADHOC_STREAM);
    const asks = adhoc !== undefined && [...adhoc.requests.values()].some(({ phase }) => phase === 'open');
    return asks ? [...known, { id: ADHOC_STREAM, folder: undefined }] : known;
  }
}
