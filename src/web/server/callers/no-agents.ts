import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { failedReads } from '../../../lib/processes/proc-file.ts';
import { ageMs, everyPid, folderOf, readProcess } from '../../../lib/processes/process-table.ts';
import { liveAttempts, whoseProcess } from '../../../workflow/project/who-calls.ts';
import type { Project } from '../../../workflow/project/project.ts';

/** What was started so long ago, in ms, has by now what tells an agent's: it is in the log, too, but where that is said late. */
const SETTLED_MS = 10_000;

/** So long after a request the others are looked at, in ms: who waits for it has an answer by then. */
const LATER_MS = 100;

/** So many are looked at in one go: about 0.2 ms each. */
const AT_ONCE = 5;

/**
 * The processes that are no agent's in a project, as far as they were looked at. That stays, as what tells an agent's it has from its
 * start on, until the log has another attempt: its agent is known by that, too.
 *
 * @internal for tests
 */
export class NoAgents {
  /** By pid, the folder in `/proc` that the process had. */
  readonly #known = new Map<number, string>();
  /** The attempts that the log had. */
  #attempts: ReadonlySet<string> = new Set();
  readonly #folderOf: typeof folderOf;
  #looking: Promise<void> | undefined;

  /** @param folder - What tells a process from a later one with its pid. Default: as the system says. */
  constructor(folder = folderOf) {
    this.#folderOf = folder;
  }

  /** What tells whether a process is one of them, and not another one that has its number now. */
  among(project: Project): (pid: number) => boolean {
    this.#follow(project);
    return (pid) => {
      const folder = this.#known.get(pid);
      return folder !== undefined && folder === this.#folderOf(pid);
    };
  }

  /** Looks at all others, a moment later and some at a time. What cannot be found out then, is after the next request. */
  lookLater(project: Project): Promise<void> {
    const end = () => void (this.#looking = undefined);
    this.#looking ??= this.#look(project).then(end, end);
    return this.#looking;
  }

  async #look(project: Project): Promise<void> {
    await sleep(LATER_MS, undefined, { ref: false });
    const isKnown = this.among(project);
    const pids = everyPid();
    for (const ended of new Set(this.#known.keys()).difference(new Set(pids))) this.#known.delete(ended);
    const others = pids.filter((pid) => !isKnown(pid));
    for (const [at, pid] of others.entries()) {
      if (at % AT_ONCE === 0) await turn();
      const [folder, failed] = [this.#folderOf(pid), failedReads()];
      if (folder === undefined || !isNoAgents(pid, project)) continue;
      // What was found out may be of one that has ended since, or of the next; or something could not be read.
      if (this.#folderOf(pid) === folder && failedReads() === failed) this.#known.set(pid, folder);
    }
  }

  #follow(project: Project): void {
    const attempts = new Set(liveAttempts(project));
    if (!attempts.isSubsetOf(this.#attempts)) this.#known.clear();
    this.#attempts = attempts;
  }
}

function isNoAgents(pid: number, project: Project): boolean {
  const entry = readProcess(pid);
  return entry !== undefined && ageMs(entry) >= SETTLED_MS && !whoseProcess(pid, project);
}

const known = new Map<string, NoAgents>();

export function noAgentsIn({ dir }: Project): NoAgents {
  const noAgents = known.get(dir) ?? new NoAgents();
  known.set(dir, noAgents);
  return noAgents;
}
