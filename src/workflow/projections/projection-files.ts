import { isDeepStrictEqual } from 'node:util';
import { dirname, join } from 'node:path';
import { Low } from 'lowdb';
import type { Projection } from '../../events/descriptor.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { CliffordError } from '../../errors.ts';
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
  const files = [
    jsonFile('memories', join(dir, 'memory.json'), (before) =>
      sprint && sprint.requests.size > 0 ? withMemories(before, state, stream) : undefined,
    ),
    jsonFile('rules', join(dir, 'policy.json'), (before) => withRules(before, state)),
  ];
  if (sprint?.manifest === undefined) return files;
  const manifest = join(root, sprint.manifest);
  const uat = join(dirname(manifest), UAT_FILE);
  return [
    jsonFile('statuses', manifest, (before) => withStatuses(before, sprint), {
      locate: () => placeOrNone(root, manifest, 'manifest'),
    }),
    ...files,
    {
      holds: 'reports',
      path: uat,
      async write() {
        const target = await placeOrNone(root, uat, 'sprint file');
        if (target !== undefined) await writeUat(target, sprint);
      },
      async isUpToDate() {
        const target = await placeOrNone(root, uat, 'sprint file');
        return target === undefined || isUatUpToDate(target, sprint);
      },
    },
  ];
}

/**
 * @param next - What has to be in the file, given what is. `undefined`: nothing has.
 * @param locate - The file itself, where `path` may be a link. `undefined`: it is none of the project's.
 */
function jsonFile(
  holds: ProjectionFile['holds'],
  path: string,
  next: (before: unknown) => unknown,
  { locate = async () => path }: { locate?: () => Promise<string | undefined> } = {},
): ProjectionFile {
  return {
    holds,
    path,
    async write() {
      const target = await locate();
      if (target === undefined) return;
      const file = new Low<unknown>(new JsonFile(target), null);
      await file.read();
      const data = next(file.data);
      if (data === undefined) return;
      file.data = data;
      await file.write();
    },
    async isUpToDate() {
      const target = await locate();
      if (target === undefined) return true;
      const before = await new JsonFile(target).read();
      const data = next(before);
      return data === undefined || isDeepStrictEqual(data, before);
    },
  };
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

/**
 * `.clifford/policy.json`: what humans allowed for more than one call, oldest first. `undefined`: no file is
 * there, and none is needed.
 */
function withRules(file: unknown, { policyRules }: ProjectState): unknown {
  if (file === null && policyRules.length === 0) return undefined;
  return { rules: policyRules.map(({ recordedIn: _recordedIn, ...rule }) => rule) };
}
