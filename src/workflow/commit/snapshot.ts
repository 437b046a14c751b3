import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../../lib/digest.ts';
import { ifThere } from '../../lib/files/if-there.ts';
import { ownText } from '../../lib/files/plain-file.ts';
import { removeOwn } from '../../lib/files/remove-own.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { writeOwn } from '../../lib/files/write-own.ts';
import { fileDigest, MISSING } from '../../lib/files/file-digest.ts';
import type { ChangedFile, StatusScope } from '../git/git-status.ts';
import type { Git } from '../git/git.ts';
import { readRepository, type Repository } from '../git/repository.ts';
import { uncommittedReason } from '../git/uncommitted.ts';

/** Longest snapshot that is read, in bytes. */
const MAX_BYTES = 268_435_456;

const snapshotSchema = z.strictObject({
  task: z.string(),
  /** Why it is not known how the files were. */
  problem: z.string().optional(),
  /** The last commit then; none: there was no commit yet. */
  head: z.string().optional(),
  /** Files that differed from the last commit, and what they were. */
  files: z.array(z.tuple([z.string(), z.string()])),
});

/** How the files of a project were before the work on a task began. */
export type WorkTreeSnapshot = z.infer<typeof snapshotSchema>;

/** A file that differs from the last commit. `edited`: for a run only; the digest is that of before. */
type WorkFile = { readonly digest: string; readonly kind: ChangedFile['kind'] | 'edited' };

/** What differs from the last commit now, by path from the project's root. */
export type WorkFiles = ReadonlyMap<string, WorkFile>;

/**
 * Files of the user's that are changed for as long as an agent runs, by path from the project's root, with the
 * digest of what they are without that; `undefined`: they are not there. Says how it is at this instant.
 */
export type CurrentEdits = () => ReadonlyMap<string, string | undefined>;

/** Where the files of a project are, and what is not theirs. */
export type WorkPlace = StatusScope & {
  readonly root: string;
  readonly signal: AbortSignal;
  readonly currentEdits: CurrentEdits;
};

/** Reads the files of a project as they are; those that are edited for a run as they were before. */
export async function readWorkTree(
  git: Git,
  { root, signal, currentEdits, isWhole }: WorkPlace,
): Promise<{ repository: Repository; files: WorkFiles }> {
  const repository = await readRepository(git, root, { isWhole });
  const files = new Map<string, WorkFile>();
  const digestOf = async ({ path, kind, submodule, isGone }: ChangedFile) => {
    if (kind === 'submodule' || kind === 'repository') return `${kind} ${submodule}`;
    // Where its folder has become a link, there may be another file at the end of its path.
    return isGone ? MISSING : fileDigest(join(root, path), signal);
  };
  for (const file of repository.files) {
    files.set(file.path, { digest: await digestOf(file), kind: file.kind });
  }
  // Asked last: an edit is written down before it is made.
  for (const [path, digest] of currentEdits()) {
    if (digest === undefined) files.delete(path);
    else if (files.has(path)) files.set(path, { digest, kind: 'edited' });
  }
  return { repository, files };
}

/** Takes the snapshot before a task. What keeps it from being taken stands in it. */
export async function takeSnapshot(
  git: Git,
  { task, ...place }: WorkPlace & { readonly task: string },
): Promise<WorkTreeSnapshot> {
  try {
    const { repository, files } = await readWorkTree(git, place);
    const { head } = repository;
    const digests = [...files].map(([path, { digest }]): [string, string] => [path, digest]);
    return { task, head, files: digests };
  } catch (error) {
    return { task, problem: uncommittedReason(error), files: [] };
  }
}

/** The snapshots of a sprint's tasks that have no commit yet: files below `.clifford/before/`. */
export class WorkTreeSnapshots {
  readonly #stateDir: string;
  readonly #dir: string;

  /** @param stateDir - `.clifford`, absolute. */
  constructor(stateDir: string, stream: string) {
    this.#stateDir = stateDir;
    this.#dir = join(stateDir, 'before', stream);
  }

  /** Ids of the tasks that have one. */
  async tasks(): Promise<string[]> {
    const names = ifThere(() => readdirSync(this.#dir), []).filter((name) => name.endsWith('.json'));
    const all = names.map((name) => readSnapshot(join(this.#dir, name)));
    return all.flatMap((snapshot) => (snapshot ? [snapshot.task] : []));
  }

  /** `undefined` when there is none that can be read. */
  async read(task: string): Promise<WorkTreeSnapshot | undefined> {
    return readSnapshot(this.#pathOf(task));
  }

  async write(snapshot: WorkTreeSnapshot): Promise<void> {
    await writeOwn(this.#stateDir, this.#pathOf(snapshot.task), JSON.stringify(snapshot));
  }

  async remove(task: string): Promise<void> {
    removeOwn(this.#pathOf(task), this.#stateDir);
  }

  #pathOf(task: string): string {
    // Any line of text is a task's id: most are no file name.
    return join(this.#dir, `${sha256(task, 'hex').slice(0, 32)}.json`);
  }
}

function readSnapshot(path: string): WorkTreeSnapshot | undefined {
  // One that was damaged, or something else in its place, is as good as none.
  return snapshotSchema.safeParse(jsonValue(ownText(path, { maxBytes: MAX_BYTES }) ?? '')).data;
}
