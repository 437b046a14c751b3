import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { callOfFiles, filesStamp } from './files-now.ts';

/** The files of calls that wait, as somebody has them before their eyes: what they write over may become another text. */
export class SeenFiles {
  readonly #pathsOf: (args: unknown) => readonly string[];
  #stamps: ReadonlyMap<string, string> = new Map();

  /** @param pathsOf - The files that a call with these arguments would change. */
  constructor(pathsOf: (args: unknown) => readonly string[]) {
    this.#pathsOf = pathsOf;
  }

  /** Those of these calls that were not among the last ones, or whose files have changed since. They are seen from now on. */
  async changed(
    project: Pick<Project, 'root' | 'state'>,
    calls: readonly RequestState[],
  ): Promise<readonly RequestState[]> {
    const stamps = calls.map(async (call) => {
      const paths = this.#pathsOf(call.asked.approval?.args);
      return [call.id, await filesStamp(project, callOfFiles(call), paths)] as const;
    });
    const now = new Map(await Promise.all(stamps));
    const before = this.#stamps;
    this.#stamps = now;
    return calls.filter(({ id }) => before.get(id) !== now.get(id));
  }
}
