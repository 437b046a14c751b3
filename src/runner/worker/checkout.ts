import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { KeyedQueue } from '../../lib/keyed-queue.ts';
import { systemCodeOf } from '../../lib/system-error.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { withLastLines } from '../../workflow/git/git.ts';
import { TASK_CHECKOUTS, worktreePath } from '../../workflow/worktree/worktree-names.ts';
import { runCommand } from '../../workflow/verify/run-command.ts';

/** The commands that bring files of a sprint here and away; without them the worker's own folder is used. */
export type RepositoryCommands = { readonly fetch?: string | undefined; readonly push?: string | undefined };

/** Where checkouts are made, and what commands are told. */
export type CheckoutPlace = {
  /** The worker's folder, absolute. */
  readonly base: string;
  /** The project's name on the server. */
  readonly project: string;
  readonly sprint: string;
  /** The one task that is worked on there; `undefined`: the sprint. */
  readonly task?: string | undefined;
  readonly commands: RepositoryCommands;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Until when a command may run, and which branch it is about. */
type CommandHow = { readonly signal: AbortSignal; readonly branch: string };

/** The folder of the worker's with the files of sprints. */
export const CHECKOUTS = 'checkouts';

/** Longest time of one command, in ms: a large repository is fetched. */
const LIMIT_MS = 30 * 60_000;
/** How often a command is tried, and the pauses between. */
const TRIES = 4;
const PAUSE = { firstMs: 1_000, longestMs: 10_000 };

/** The files of one sprint on a worker, or of one task of it: a folder for each, kept until the next time. */
export class Checkout {
  readonly #place: CheckoutPlace;
  /** One command after the other: two gits in one clone would not get each other's locks. */
  readonly #commands = new KeyedQueue();

  constructor(place: CheckoutPlace) {
    this.#place = place;
  }

  /** Absolute. */
  get folder(): string {
    const { base, sprint, task, commands } = this.#place;
    if (task !== undefined) return worktreePath(join(base, TASK_CHECKOUTS), sprint, task);
    return commands.fetch === undefined ? base : join(base, CHECKOUTS, sprint);
  }

  /** The branch that commands are told: the result of the sprint. Its tasks have `clifford/<sprint>/<task>`. */
  get branch(): string {
    return `clifford-sprints/${this.#place.sprint}`;
  }

  /** Brings the files here. @throws {CliffordError} `FETCH_FAILED`; the signal's reason when it aborts. */
  async fetch(signal: AbortSignal): Promise<void> {
    const { fetch } = this.#place.commands;
    if (fetch === undefined) return;
    try {
      mkdirSync(this.folder, { recursive: true });
    } catch (error) {
      throw failed(
        'fetch',
        this.#place.sprint,
        `${this.folder} cannot be made: the system says ${systemCodeOf(error)}`,
      );
    }
    const problem = await this.#inTurn(fetch, { signal, branch: this.branch });
    if (problem !== undefined) throw failed('fetch', this.#place.sprint, problem);
  }

  /**
   * Brings commits away, to {@link Checkout.branch} or to that of a task.
   *
   * @throws {CliffordError} `PUSH_FAILED`; the signal's reason when it aborts.
   */
  async push(signal: AbortSignal, branch: string): Promise<void> {
    const { push } = this.#place.commands;
    if (push === undefined) return;
    const problem = await this.#inTurn(push, { signal, branch });
    if (problem !== undefined) throw failed('push', this.#place.sprint, problem);
  }

  /** Runs a command when those before it have ended; whoever waits for that does so no longer than the signal lets it. */
  async #inTurn(command: string, how: CommandHow): Promise<string | undefined> {
    const { signal } = how;
    signal.throwIfAborted();
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    const turn = this.#commands.take(this.folder, () => {
      // Once it runs, its end is waited for.
      signal.removeEventListener('abort', leave);
      return this.#try(command, how);
    });
    return Promise.race([turn, left]);
  }

  /** Runs a command, again when it fails: a network may be away. @returns why it failed the last time. */
  async #try(command: string, { signal, branch }: CommandHow): Promise<string | undefined> {
    const { env, project, sprint, commands } = this.#place;
    // Where nothing was cloned yet, git would find the repository that the worker was started in.
    const ceiling = commands.fetch === undefined ? {} : { GIT_CEILING_DIRECTORIES: dirname(this.folder) };
    const told = { CLIFFORD_PROJECT: project, CLIFFORD_SPRINT: sprint, CLIFFORD_BRANCH: branch };
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      const place = {
        cwd: this.folder,
        env: { ...env, GIT_TERMINAL_PROMPT: '0', ...ceiling, ...told },
        signal,
        limitMs: LIMIT_MS,
      };
      const { code, how, output } = await runCommand(command, place);
      signal.throwIfAborted();
      if (code === 0) return undefined;
      if (tries === TRIES) return `\`${command}\` ${withLastLines(how, output)}`;
      await pause(backoffMs(PAUSE, tries - 1), undefined, { signal });
    }
  }
}

function failed(what: 'fetch' | 'push', sprint: string, problem: string): CliffordError {
  return new CliffordError(`Cannot ${what} sprint ${sprint}: ${problem}`, {
    code: what === 'fetch' ? 'FETCH_FAILED' : 'PUSH_FAILED',
    fix: `Correct repository.${what} in your own configuration, or --${what}, or what it needs`,
    recovery: 'give-up',
  });
}
