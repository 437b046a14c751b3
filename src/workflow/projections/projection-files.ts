import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { basename, dirname, join } from 'node:path';
import { Low } from 'lowdb';
import type { Projection } from '../../events/descriptor.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { CliffordError } from '../../errors.ts';
import { insideRoot } from '../../lib/files/inside-root.ts';
import { inFolder } from '../../lib/files/opened-folder.ts';
import { whereToWrite } from '../project/where-to-write.ts';
import { JsonFile } from './json-file.ts';
import { withStatuses } from './manifest-status.ts';
import { withMemories } from './memory.ts';
import { isUatUpToDate, UAT_FILE, writeUat } from './uat.ts';

/** A file that follows the log. Reading and writing reject with errors of the system. */
export type ProjectionFile = {
  readonly holds: Projection;
  readonly path: string;
  /** Brings it up to date. */
  readonly write: () => Promise<void>;
  /** Whether it says what the log says. */
  readonly isUpToDate: () => Promise<boolean>;
};

const refusals: ReadonlySet<string> = new Set(['OUTSIDE_PROJECT', 'PLACE_RESERVED']);

/** Where a project lies: its root and its `.clifford`, absolute. */
export type ProjectPlace = { readonly root: string; readonly dir: string };

/** The files that follow a stream of the log. */
export function projectionFiles(
  { root, dir }: ProjectPlace,
  state: ProjectState,
  stream: string,
): ProjectionFile[] {
  const sprint = state.streams.get(stream);
  const own = (name: string) => ({
    path: join(dir, name),
    root,
    locate: async () => join(await insideRoot(root, dir), name),
  });
  const files = [
    jsonFile('memories', own('memory.json'), (before) =>
      sprint && sprint.requests.size > 0 ? withMemories(before, state, stream) : undefined,
    ),
    jsonFile('rules', own('policy.json'), (before) => withRules(before, state)),
  ];
  if (sprint?.manifest === undefined) return files;
  const manifest = join(root, sprint.manifest);
  const uat = join(dirname(manifest), UAT_FILE);
  const uatPlace = { path: uat, root, locate: () => placeOrNone(root, uat, 'sprint file') };
  return [
    jsonFile(
      'statuses',
      { path: manifest, root, locate: () => placeIfAny(root, manifest, 'manifest') },
      (before) => withStatuses(before, sprint),
    ),
    ...files,
    {
      holds: 'reports',
      path: uat,
      async write() {
        await inPlace(uatPlace, (target) => writeUat(target, sprint));
      },
      async isUpToDate() {
        return (
          (await inPlace({ ...uatPlace, locate: () => placeIfAny(root, uat, 'sprint file') }, (target) =>
            isUatUpToDate(target, sprint),
          )) ?? true
        );
      },
    },
  ];
}

/** A file that follows the log. */
type Place = {
  readonly path: string;
  readonly root: string;
  /** The file itself, where `path` may be a link. `undefined`: it is none of the project's. */
  readonly locate: () => Promise<string | undefined>;
};

/** @param next - What has to be in the file, given what is. `undefined`: nothing has. */
function jsonFile(
  holds: ProjectionFile['holds'],
  place: Place,
  next: (before: unknown) => unknown,
): ProjectionFile {
  return {
    holds,
    path: place.path,
    async write() {
      await inPlace(place, async (target) => {
        const file = new Low<unknown>(new JsonFile(target), null);
        await file.read();
        const data = next(file.data);
        if (data === undefined) return;
        file.data = data;
        await file.write();
      });
    },
    async isUpToDate() {
      const isSame = await inPlace(place, async (target) => {
        const before = await new JsonFile(target).read();
        const data = next(before);
        return data === undefined || isDeepStrictEqual(data, before);
      });
      return isSame ?? true;
    },
  };
}

/** Works on a file in the folder where it was found. `undefined`: it is none of the project's. */
async function inPlace<T>(
  { root, locate }: Place,
  work: (target: string) => Promise<T>,
): Promise<T | undefined> {
  const target = await locate();
  if (target === undefined) return undefined;
  return inFolder(dirname(target), { root }, (at) => work(at(basename(target))));
}

/** A manifest that is a link stays one: what it leads to is written. `undefined`: it is not ours to write. */
async function placeOrNone(
  root: string,
  path: string,
  purpose: 'manifest' | 'sprint file',
): Promise<string | undefined> {
  try {
    return await whereToWrite(root, path, purpose);
  } catch (error) {
    const isRefused = error instanceof CliffordError && refusals.has(error.code);
    if (isRefused) return undefined;
    throw error;
  }
}

/** The same; `undefined` also where there is not even its folder. */
async function placeIfAny(...place: Parameters<typeof placeOrNone>): Promise<string | undefined> {
  const target = await placeOrNone(...place);
  return target !== undefined && existsSync(dirname(target)) ? target : undefined;
}

/**
 * `.clifford/policy.json`: what humans allowed for more than one call, oldest first. `undefined`: no file is
 * there, and none is needed.
 */
function withRules(file: unknown, { policyRules }: ProjectState): unknown {
  if (file === null && policyRules.length === 0) return undefined;
  return { rules: policyRules.map(({ recordedIn: _recordedIn, ...rule }) => rule) };
}
