import { realpath } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isInside } from '../../lib/files/inside-root.ts';
import { PathFollower } from '../../lib/files/path-follower.ts';
import { refuseTooLong, type Led } from '../../lib/files/way-of-path.ts';
import { systemCodeOf } from '../../lib/system-error.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { workFolder } from '../worktree/work-folder.ts';

/** Whose call it is, and whether it is one of an agent's own tool: which files a server means nobody here knows. */
export type CallOfFiles = {
  readonly stream: string;
  readonly task: string | undefined;
  readonly isOwn: boolean;
};

/** The call that a request is about. */
export function callOfFiles({ stream, taskId, asked }: RequestState): CallOfFiles {
  return { stream, task: taskId ?? asked.task, isOwn: asked.approval?.isOwn === true };
}

/** Where a file of a call is. */
export type Place = {
  /** The folder that it is looked for in, and the file in it, links followed. */
  readonly folder: string;
  readonly place: string;
  readonly isThere: boolean;
  /** The place from the folder on, if links on its path lead elsewhere. */
  readonly leadsTo: string | undefined;
  /** Whether a link on its path leads to something that is not there. */
  readonly isDangling: boolean;
};

/** Why a path leads to no file that is looked at, and where it leads out of the project. */
export type NoPlace = { readonly why: string; readonly leadsTo?: string };

/** Where the files are that a call names: in the folder where its agent works, or in the project. It follows so many paths, and no more. */
export class CallPlaces {
  readonly #folders: readonly string[];
  readonly #tops = new Map<string, string>();
  readonly #follower = new PathFollower();

  constructor({ root, state }: Pick<Project, 'root' | 'state'>, { stream, task }: CallOfFiles) {
    const known = state.streams.get(stream)?.tasks.get(task ?? '');
    this.#folders = [...new Set([workFolder({ root }, known), root])];
  }

  /** How many names of paths it has followed. */
  get names(): number {
    return this.#follower.names;
  }

  /** In the first of the folders in which it leads to something. */
  async find(path: string): Promise<Place | NoPlace> {
    let none: NoPlace = noPath;
    for (const folder of this.#folders) {
      const found = await this.#findIn(folder, path);
      if ('place' in found) return found;
      if (none.leadsTo === undefined) none = found;
    }
    return none;
  }

  /** The same, or, where it leads to no such file, the place that it names. */
  async placeOf(path: string): Promise<string> {
    const found = await this.find(path);
    return 'place' in found ? found.place : resolve(this.#folders[0] ?? '', path);
  }

  async #findIn(folder: string, path: string): Promise<Place | NoPlace> {
    if (path.includes('\0')) return noPath;
    try {
      refuseTooLong(path);
      const top = await this.#topOf(folder);
      const led = await this.#follower.follow(resolve(folder, path));
      return isInside(top, led.place) ? placeOf(led, { folder, top, path }) : outside(led, folder, path);
    } catch (error) {
      if (this.#follower.isSpent) return { why: 'there are too many' };
      return { why: `the system says ${systemCodeOf(error)}` };
    }
  }

  async #topOf(folder: string): Promise<string> {
    const top = this.#tops.get(folder) ?? (await realpath(folder));
    this.#tops.set(folder, top);
    return top;
  }
}

/** Where each of these paths leads: two of one file lead to the same place, however they are written. */
export async function filePlaces(
  project: Pick<Project, 'root' | 'state'>,
  call: CallOfFiles,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const places = new CallPlaces(project, call);
  const found = new Map<string, string>();
  for (const path of paths) found.set(path, await places.placeOf(path));
  return found;
}

const noPath = { why: 'it is no usable path' };

function placeOf(
  { place, isThere, isDangling }: Led,
  { folder, top, path }: { readonly folder: string; readonly top: string; readonly path: string },
): Place {
  const led = relative(top, place);
  const named = resolve(folder, path);
  // It may be named by where the folder really is.
  const isAsNamed = led === relative(folder, named) || led === relative(top, named);
  return { folder, place: join(folder, led), leadsTo: isAsNamed ? undefined : led, isThere, isDangling };
}

function outside({ place }: Led, folder: string, path: string): NoPlace {
  if (!isInside(folder, resolve(folder, path))) return { why: 'it is outside of the project' };
  return { why: 'it leads out of the project', leadsTo: place };
}
