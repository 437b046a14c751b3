import type { Project } from '../../src/workflow/project/project.ts';
import { pick, type Random } from './random.ts';

/** How long a record takes to be begun, in ms of the clock of the test: keys come before, between and after. */
const delays = [0, 0, 1, 5, 40, 250];

/** Records that take time by a clock that the test holds: how fast the disk is changes nothing. */
export class SlowRecords {
  readonly #random: Random;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #onDisk = new Set<Promise<unknown>>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Something is not recorded yet. */
  get areUnderWay(): boolean {
    return this.#underWay.size > 0;
  }

  /** Resolves when nothing is being written. */
  async written(): Promise<void> {
    while (this.#onDisk.size > 0) await Promise.allSettled(this.#onDisk);
  }

  /** The project, as slow as that. */
  of(project: Project): Project {
    return new Proxy(project, {
      get: (target, key) => {
        if (key === 'dispatch')
          return (...args: Parameters<Project['dispatch']>) => this.#slowly(() => target.dispatch(...args));
        if (key === 'record')
          return (...args: Parameters<Project['record']>) => this.#slowly(() => target.record(...args));
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** Waits for this, too. */
  follow<T>(recording: Promise<T>): Promise<T> {
    const done = recording.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.add(done);
    void done.then(() => this.#underWay.delete(done));
    return recording;
  }

  #slowly<T>(record: () => Promise<T>): Promise<T> {
    const write = async () => {
      await new Promise<void>((resolve) => void setTimeout(resolve, pick(this.#random, delays)));
      const writing = record();
      this.#onDisk.add(writing);
      try {
        return await writing;
      } finally {
        this.#onDisk.delete(writing);
      }
    };
    return this.follow(write());
  }
}
