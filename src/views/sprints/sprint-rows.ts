import type { FolderOf } from '../calls/folder-of-call.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { WatchedSprints } from '../../workflow/sprint/watched-sprints.ts';
import { isAgentGone } from './gone-agent.ts';
import { overviewOf, rowOf, type Overview, type SprintRow } from './overview.ts';
import type { Processes } from './sprint-status.ts';

/** What the rows are of. `state` may be another object at each look. */
export type RowsOf = {
  readonly project: { readonly state: ProjectState };
  readonly sprints: WatchedSprints;
  readonly processes: Processes;
  /** Default: nothing is said of where their agents work. */
  readonly folderOf?: FolderOf;
};

/** The rows of the overview of a project: each is made anew when something of it has changed, and no other. */
export class SprintRows {
  readonly #of: RowsOf;
  readonly #rows = new Map<string, SprintRow>();
  /** Rows that are to be made anew. */
  readonly #stale = new Set<string>();
  #limits: ProjectState['limits'];

  constructor(of: RowsOf) {
    this.#of = of;
    this.#limits = of.project.state.limits;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }

  /** Has what there is to say of a sprint said anew. */
  drop(id: string): void {
    this.#stale.add(id);
  }

  overview(): Overview {
    const { project, sprints, processes, folderOf } = this.#of;
    const { state } = project;
    // They are of all sprints.
    if (state.limits !== this.#limits) this.#rows.clear();
    this.#limits = state.limits;
    const rows = sprints.known().map((known) => {
      const kept = this.#stale.has(known.id) ? undefined : this.#rows.get(known.id);
      const row = kept ?? rowOf(known, state, processes, folderOf);
      this.#rows.set(known.id, row);
      return row;
    });
    this.#stale.clear();
    return overviewOf(rows, sprints.problems());
  }

  /** As {@link WatchedSprints.look}. @returns whether something has changed. */
  async look(): Promise<boolean> {
    const { folders, runners } = await this.#of.sprints.look();
    if (folders) this.#rows.clear();
    if (runners) this.#dropOtherRunners();
    this.#dropGoneAgents();
    return this.#stale.size > 0 || folders;
  }

  /** Reads the folders of sprints again. */
  async list(): Promise<void> {
    await this.#of.sprints.list();
    this.#rows.clear();
  }

  #dropOtherRunners(): void {
    for (const [id, { sprint }] of this.#rows)
      if (this.#of.processes.hasRunner(id) !== sprint.hasRunner) this.#stale.add(id);
  }

  /** A runner at work says what becomes of its agents; of those that one has left nobody does. */
  #dropGoneAgents(): void {
    const { project, processes } = this.#of;
    for (const [id, { sprint }] of this.#rows) {
      const known = sprint.hasRunner ? undefined : project.state.streams.get(id);
      if (!known) continue;
      const isOther = sprint.tasks.some(
        (task) => task.agent && isAgentGone(known, task.id, processes.isAlive) !== task.isAgentGone,
      );
      if (isOther) this.#stale.add(id);
    }
  }
}
