import type { UsageLimit } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';

/** What a turn has seen of the log: the newest event of its sprint, and the usage limits of all. */
export type Seen = { readonly version: number; readonly limits: readonly UsageLimit[] };

/** Longest sleep, in ms: timers stand still while the machine is suspended, and the clock may be set. */
const LONGEST_SLEEP_MS = 60_000;

/** The sleep of a run between two turns. */
export class RunNap {
  readonly #project: Project;
  readonly #stream: string;
  #current: AbortController | undefined;

  constructor(project: Project, stream: string) {
    this.#project = project;
    this.#stream = stream;
  }

  /** What the log says now. */
  seen(): Seen {
    const { streams, limits } = this.#project.state;
    return { version: streams.get(this.#stream)?.version ?? 0, limits };
  }

  /**
   * Until the log has news of the sprint or of usage limits since `seen`, the instant has come (ms since the epoch), or it is
   * woken.
   *
   * @throws {CliffordError} why the log cannot be followed.
   */
  async sleep(seen: Seen, until: number | undefined): Promise<void> {
    const nap = new AbortController();
    this.#current = nap;
    const timer =
      until === undefined
        ? undefined
        : setTimeout(() => nap.abort(), Math.min(Math.max(until - Date.now(), 1), LONGEST_SLEEP_MS));
    try {
      const hasNews = () => {
        const { version, limits } = this.seen();
        return version !== seen.version || limits !== seen.limits ? true : undefined;
      };
      await this.#project.until(hasNews, { signal: nap.signal });
    } catch (error) {
      if (!nap.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      this.#current = undefined;
    }
  }

  /** Something happened that the log does not say: an agent is gone, or the run is to stop. */
  wake(): void {
    this.#current?.abort();
  }
}
