import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { codeOf } from '../../lib/system-error.ts';
import type { SignalsPlace } from '../../signals/serve-signals.ts';
import type { Project } from '../../workflow/project/project.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';

/** Which project, and the environment whose secrets stay out of its log. */
export type ProjectPlace = {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * The project, opened when it is first needed and once more after its log could not be written: a
 * server outlives a full disk, since agents do not start it a second time.
 */
export class ProjectHandle {
  readonly #place: ProjectPlace;
  readonly #opened: Promise<Project>[] = [];
  #current: Promise<Project> | undefined;
  /** What {@link #current} led to. */
  #project: Project | undefined;

  constructor(place: ProjectPlace) {
    this.#place = place;
  }

  /**
   * The open project. Makes `.clifford/` (0700) where there is none, but not the project's folder: one that was deleted
   * does not come back by that.
   *
   * @throws {CliffordError} when its log cannot be read; the next call tries again.
   */
  get(): Promise<Project> {
    this.#current ??= this.#open();
    return this.#current;
  }

  /**
   * The next {@link get} opens anew, if `project` is the one it would return. Calls that wait on the project of
   * before go on waiting.
   */
  giveUp(project?: Project): void {
    if (project === undefined || project === this.#project) this.#current = undefined;
  }

  /** The project for whoever serves question files beside the agent, in the same process. */
  forSignals(): Pick<SignalsPlace, 'project' | 'failed'> {
    return {
      project: async () => (await this.get()).as('/clifford/signals'),
      failed: (error) => {
        if (error instanceof CliffordError && error.recovery === 'reopen') this.giveUp();
      },
    };
  }

  async close(): Promise<void> {
    this.#current = undefined;
    const opened = await Promise.allSettled(this.#opened.splice(0));
    for (const each of opened) if (each.status === 'fulfilled') await each.value.close();
  }

  #open(): Promise<Project> {
    const opening = open(this.#place);
    this.#opened.push(opening);
    opening.then(
      (project) => {
        if (this.#current === opening) this.#project = project;
      },
      () => {
        if (this.#current === opening) this.#current = undefined;
      },
    );
    return opening;
  }
}

async function open({ root, env }: ProjectPlace): Promise<Project> {
  const dir = join(root, STATE_DIR);
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return openIn({ root, env });
    const { logInaccessible } = await import('../../events/jsonl/log-errors.ts');
    throw logInaccessible(dir, cause);
  }
  return openIn({ root, env });
}

async function openIn({ root, env }: ProjectPlace): Promise<Project> {
  // Imported late: machines and log are not needed to answer `initialize`.
  const { openProject } = await import('../../workflow/project/project.ts');
  return openProject({ root, source: '/clifford/mcp', env });
}
