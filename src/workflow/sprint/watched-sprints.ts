import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { readOr } from '../../lib/processes/lock-holder.ts';
import { STATE_DIR } from '../project/project-root.ts';
import type { Project } from '../project/project.ts';
import { heldRunnerLocks, isRunnerAtWork } from '../project/runner-lock.ts';
import { knownSprints, type KnownSprint } from './choose-sprint.ts';
import { listSprintFolders, type SprintIndex } from './sprint-folders.ts';

type Place = Pick<Project, 'root' | 'dir' | 'state'>;

/** The sprints of a project, and a look at what no event tells of them: folders that come and go, and runners. */
export class WatchedSprints {
  readonly #project: Place;
  #index: SprintIndex = { sprints: [], broken: [] };
  #trouble: string | undefined;
  #stamps = new Map<string, number>();
  /** Locks of runners that were held at the last look. */
  #held: string;
  /** A folder has come or gone: what is written into it next is looked for, too. */
  #isFresh = false;

  private constructor(project: Place) {
    this.#project = project;
    this.#held = heldRunners(project);
  }

  /** @throws {CliffordError} why the folders of sprints cannot be listed. */
  static async open(project: Place): Promise<WatchedSprints> {
    const sprints = new WatchedSprints(project);
    sprints.#index = await listSprintFolders(project.root);
    sprints.#stamps = sprints.#readStamps();
    return sprints;
  }

  /** All of them, and what is asked outside of any while it waits. */
  known(): KnownSprint[] {
    const { state } = this.#project;
    const known = knownSprints(state, this.#index);
    const adhoc = state.streams.get(ADHOC_STREAM);
    const asks = adhoc !== undefined && [...adhoc.requests.values()].some(({ phase }) => phase === 'open');
    return asks ? [...known, { id: ADHOC_STREAM, folder: undefined }] : known;
  }

  /** Manifests that cannot be read, a reason each. */
  problems(): string[] {
    const problems = this.#index.broken.map(({ error }) => error.message);
    return this.#trouble === undefined ? problems : [this.#trouble, ...problems];
  }

  /**
   * Looks at what no event tells of. Cheap: a look at each lock of a runner that there is, and a `stat` for each sprint that
   * somebody may write to.
   *
   * @returns whether there are others, or other runners, than at the last look.
   */
  async look(): Promise<{ readonly folders: boolean; readonly runners: boolean }> {
    const held = heldRunners(this.#project);
    const runners = held !== this.#held;
    this.#held = held;
    return { folders: await this.#lookAtFolders(), runners };
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
    return folder !== undefined && isRunnerAtWork(this.#project.dir, folder.manifest.id);
  }
}

function heldRunners({ dir }: Place): string {
  return heldRunnerLocks(dir).join('\n');
}
