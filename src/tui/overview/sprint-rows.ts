import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM } from '../../events/field-schemas.ts';
import { readOr } from '../../lib/processes/lock-holder.ts';
import { overviewOf, rowOf, type Overview, type SprintRow } from '../../views/overview.ts';
import type { Processes } from '../../views/sprint-status.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import { heldRunnerLocks } from '../../workflow/project/runner-lock.ts';
import { knownSprints, type KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { listSprintFolders, type SprintIndex } from '../../workflow/sprint/sprint-folders.ts';

type Place = Pick<Project, 'root' | 'dir' | 'state'>;

/** The rows of the overview of a project: each is made anew when something of it has changed, and no other. */
export class SprintRows {
  readonly #project: Place;
  readonly #processes: Processes;
  readonly #rows = new Map<string, SprintRow>();
  /** Rows that are to be made anew. */
  readonly #stale = new Set<string>();
  #index: SprintIndex = { sprints: [], broken: [] };
  #trouble: string | undefined;
  #limits: Project['state']['limits'];
  #stamps = new Map<string, number>();
  /** Locks of runners that were held at the last look. */
  #held: string;
  /** A folder has come or gone: what is written into it next is looked for, too. */
  #isFresh = false;

  private constructor(project: Place, processes: Processes) {
    this.#project = project;
    this.#processes = processes;
    this.#limits = project.state.limits;
    this.#held = heldRunners(project);
  }

  /** @throws {CliffordError} why the folders of sprints cannot be listed. */
  static async open(project: Place, processes: Processes): Promise<SprintRows> {
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
   * Looks at what no event tells of: runners that came or died, and folders of sprints. Cheap: a look at each lock of a
   * runner that there is, and a `stat` for each sprint that somebody may write to.
   *
   * @returns whether something has changed.
   */
  async look(): Promise<boolean> {
    const hasChanged = this.#lookAtRunners();
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
    this.#rows.clear();
  }

  #lookAtRunners(): boolean {
    const held = heldRunners(this.#project);
    if (held === this.#held) return false;
    this.#held = held;
    for (const [id, { sprint }] of this.#rows)
      if (this.#processes.hasRunner(id) !== sprint.hasRunner) this.#stale.add(id);
    return this.#stale.size > 0;
  }

  async #lookAtFolders(): Promise<boolean> {
    const parents = this.#parents();
    const before = this.#stamps;
    this.#stamps = this.#readStamps();
    const changed = [...this.#stamps].filter(([dir, at]) => (before.get(dir) ?? at) !== at);
    const wasFresh = this.#isFresh;
    this.#isFresh = changed.some(([dir]) => parents.includes(dir));
    if (!wasFresh && changed.every(([dir]) => this.#isRun(dir))) return false;
    await this.list();
    return true;
  }

  #parents(): string[] {
    const { root } = this.#project;
    return [join(root, 'sprints'), join(root, STATE_DIR, 'sprints')];
  }

  /** When the folders of sprints, and those that these are in, were changed last. */
  #readStamps(): Map<string, number> {
    const { sprints, broken } = this.#index;
    const dirs = [...this.#parents(), ...[...sprints, ...broken].map(({ dir }) => dir)];
    return new Map(dirs.map((dir) => [dir, readOr(0, () => statSync(dir).mtimeMs)]));
  }

  /** Whether a runner writes into this folder: what it does is in the log. */
  #isRun(dir: string): boolean {
    const folder = this.#index.sprints.find((each) => each.dir === dir);
    return folder !== undefined && this.#rows.get(folder.manifest.id)?.sprint.hasRunner === true;
  }

  #known(): KnownSprint[] {
    const { state } = this.#project;
    const known = knownSprints(state, this.#index);
    const adhoc = state.streams.get(ADHOC_STREAM);
    const asks = adhoc !== undefined && [...adhoc.requests.values()].some(({ phase }) => phase === 'open');
    return asks ? [...known, { id: ADHOC_STREAM, folder: undefined }] : known;
  }
}

function heldRunners({ dir }: Place): string {
  return heldRunnerLocks(dir).join('\n');
}
