import type { RequestState } from '../machines/project-state.ts';
import type { Project } from '../workflow/project.ts';
import type { SprintFolder } from '../workflow/sprint-folders.ts';
import { performAction, RUNNER } from './perform-action.ts';
import type { ActionDeps } from './perform-action.ts';
import { reconcile } from './reconcile.ts';
import type { RunnerListeners } from './runner-events.ts';
import { RunnerMemory } from './runner-memory.ts';
import type { RunEnd } from './run-end.ts';
import type { RunPolicy } from './runner-view.ts';
import { createStartAttempt } from './start-attempt.ts';
import type { TaskPlans } from './task-plans.ts';

/** What a driver needs. The caller holds the sprint's lock. */
export type DriverParts = {
  readonly project: Project;
  readonly folder: SprintFolder;
  readonly plans: TaskPlans;
  readonly policy: RunPolicy;
  readonly retryDelayMs: number;
  readonly killGraceMs: number;
  readonly listeners: RunnerListeners;
  /** The environment that agents inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Longest delay a timer takes, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Does what {@link reconcile} says, until it says that the run has ended. */
export class SprintDriver {
  readonly #project: Project;
  readonly #stream: string;
  readonly #listeners: RunnerListeners;
  readonly #memory = new RunnerMemory();
  readonly #actions: ActionDeps;
  /** Requests that were told of, or had been closed before this run. */
  readonly #announced = new Set<string>();
  /** Ended when something happens that the log does not say: an agent is gone, or {@link stop} was called. */
  #nap: AbortController | undefined;

  constructor(parts: DriverParts) {
    const { project, folder, listeners, policy } = parts;
    this.#project = project;
    this.#stream = folder.manifest.id;
    this.#listeners = listeners;
    const memory = this.#memory;
    this.#actions = {
      ...parts,
      memory,
      view: () => memory.view(project.state.streams.get(this.#stream), policy, Date.now()),
      startAttempt: createStartAttempt({ ...parts, memory, onNews: () => this.#wake(), by: RUNNER }),
      onEntered: () => listeners.emit('start', { sprint: this.#stream }),
    };
  }

  /** Runs the sprint. Whatever happens, no agent is left when it returns or throws. */
  async run(): Promise<RunEnd> {
    for (const { id, phase } of this.#requests()) if (phase !== 'open') this.#announced.add(id);
    // Between two waits nobody would listen, and the log would be watched anew for each.
    const unsubscribe = this.#project.subscribe(() => undefined);
    try {
      for (;;) {
        const end = await this.#turn();
        if (end) return end;
      }
    } finally {
      unsubscribe();
      await this.#abandon();
    }
  }

  /** Ends the agents and then the run, which can be resumed. Safe to call twice. */
  stop(reason: string): void {
    this.#memory.stopReason ??= reason;
    this.#wake();
  }

  async #turn(): Promise<RunEnd | undefined> {
    await this.#project.refresh();
    this.#announce();
    // From here to the nap nothing is awaited, so that nothing can happen unseen.
    const seen = this.#version();
    for (const action of reconcile(this.#actions.view())) {
      if (action.do === 'end') return action.end;
      if (action.do === 'wait') await this.#sleep(seen, action.until);
      else await performAction(this.#actions, action);
    }
    return undefined;
  }

  /** Until the log has news of this sprint, the instant has come (ms since the epoch), or it is woken. */
  async #sleep(seen: number, until: number | undefined): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    const timer =
      until === undefined
        ? undefined
        : setTimeout(() => nap.abort(), Math.min(Math.max(until - Date.now(), 1), MAX_TIMER_MS));
    try {
      await this.#project.until(() => (this.#version() !== seen ? true : undefined), { signal: nap.signal });
    } catch (error) {
      if (!nap.signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
      this.#nap = undefined;
    }
  }

  /** Waits for every agent to be gone before it says that one is not. */
  async #abandon(): Promise<void> {
    const left = [...this.#memory.attempts.values()].map((attempt) => attempt.abandon());
    await Promise.allSettled(left);
    await Promise.all(left);
  }

  #wake(): void {
    this.#nap?.abort();
  }

  #announce(): void {
    for (const { id, asked, taskId } of this.#requests()) {
      if (this.#announced.has(id)) continue;
      this.#announced.add(id);
      const { task, question, reason = '' } = asked;
      this.#listeners.emit('halt', { task: taskId ?? task, reason, question });
    }
  }

  #requests(): Iterable<RequestState> {
    return this.#project.state.streams.get(this.#stream)?.requests.values() ?? [];
  }

  #version(): number {
    return this.#project.state.streams.get(this.#stream)?.version ?? 0;
  }
}
