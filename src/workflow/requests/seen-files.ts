import { MOST_NAMES } from '../../lib/files/path-follower.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { callOfFiles } from './call-places.ts';
import { filesStamp } from './files-now.ts';

/**
 * The files of calls that wait, as somebody has them before their eyes: what they write over may become another text. Of all calls
 * together so many paths are looked at each time, and one call more at most; what is left comes first the next time.
 */
export class SeenFiles {
  readonly #pathsOf: (args: unknown) => readonly string[];
  /** By the ids of the calls: those that were looked at last come last. */
  #stamps: ReadonlyMap<string, string> = new Map();

  /** @param pathsOf - The files that a call with these arguments would change. */
  constructor(pathsOf: (args: unknown) => readonly string[]) {
    this.#pathsOf = pathsOf;
  }

  /**
   * Those of these calls that were not looked at yet, or whose files have changed since. They are seen from now on.
   *
   * @param first - Calls that are looked at each time, by their ids: those that somebody is about to decide on.
   */
  async changed(
    project: Pick<Project, 'root' | 'state'>,
    calls: readonly RequestState[],
    first: readonly string[] = [],
  ): Promise<readonly RequestState[]> {
    const before = this.#stamps;
    const now = new Map<string, string>();
    let names = 0;
    for (const call of this.#inTurn(calls, first)) {
      if (names >= MOST_NAMES) break;
      const about = callOfFiles(call);
      const paths = about.isOwn ? this.#pathsOf(call.asked.approval?.args) : [];
      const looked = await filesStamp(project, about, paths);
      names += looked.names;
      now.set(call.id, looked.stamp);
    }
    const waiting = new Set(calls.map(({ id }) => id));
    const left = [...before].filter(([id]) => waiting.has(id) && !now.has(id));
    this.#stamps = new Map([...left, ...now]);
    return calls.filter(({ id }) => now.has(id) && before.get(id) !== now.get(id));
  }

  #inTurn(calls: readonly RequestState[], first: readonly string[]): Iterable<RequestState> {
    const byId = new Map(calls.map((call) => [call.id, call]));
    const unknown = [...byId.keys()].filter((id) => !this.#stamps.has(id));
    const turn = new Set([...first, ...unknown, ...this.#stamps.keys()]);
    return [...turn].flatMap((id) => byId.get(id) ?? []);
  }
}
