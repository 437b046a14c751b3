import { setTimeout as pause } from 'node:timers/promises';
import type { Approval } from '../../events/approval.ts';
import { isCut } from '../../events/cut-arguments.ts';
import { sha256 } from '../../lib/digest.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../project/project.ts';
import { callOfFiles, type CallOfFiles } from './call-places.ts';
import { filesMarks, filesNow, type FilesNow } from './files-now.ts';

/** How a face looks at what a call would make of files. */
export type See = {
  /** The files that a call with these arguments would change. */
  readonly pathsOf: (args: unknown) => readonly string[];
  /** What is to be seen of that, as a text; `undefined`: nothing. */
  readonly seenOf: (args: unknown, files: FilesNow) => string | undefined;
};

/** The files of a call as they were found, and what was seen of what it would make of them. */
export type ComparedFiles = {
  readonly files: FilesNow;
  /**
   * That as a short text, which whoever has seen it gives back. `undefined`: the call names no file that is looked at. There is
   * one, too, of a call that would change nothing as its files are: that may become something.
   */
  readonly seen: string | undefined;
  /** Why none of its files could be compared: `it could not be read`. */
  readonly failed: string | undefined;
};

/** So long the files of one call are read and compared, in ms: then it is said that they were not. */
const LONGEST_MS = 5_000;

type CompareOptions = {
  readonly whole?: { readonly args: unknown } | undefined;
  /** Default: 5 s. */
  readonly longestMs?: number;
  /** Finds what stands in the files. Default: by reading them. */
  readonly look?: typeof filesNow;
};

/**
 * Whether a call names files that are looked at: which ones a server means nobody here knows. One that is too long to be kept may
 * name any: it cannot be compared, which is to be seen, too.
 */
export function namesFiles(
  approval: Pick<Approval, 'isOwn' | 'args'> | undefined,
  { pathsOf }: Pick<See, 'pathsOf'>,
): boolean {
  return approval?.isOwn === true && (isCut(approval.args) || pathsOf(approval.args).length > 0);
}

/**
 * Compares what a call would make of files with what stands there now. It ends within 5 s, and does not fail: what cannot be
 * compared is said to be so, and a human decides about it all the same.
 *
 * @param options.whole - Its arguments as they will run: secrets stay in the files, too. Default: as the log has them.
 */
export async function compareFiles(
  project: Pick<Project, 'root' | 'state' | 'hideSecrets'>,
  request: RequestState,
  { pathsOf, seenOf }: See,
  { whole, longestMs = LONGEST_MS, look = filesNow }: CompareOptions = {},
): Promise<ComparedFiles> {
  const { args } = whole ?? request.asked.approval ?? {};
  const { approval } = request.asked;
  const call = callOfFiles(request);
  const paths = pathsOf(args);
  if (!whole && approval?.isOwn && isCut(approval.args)) return tooLong(approval);
  const notCompared = (why: string): ComparedFiles => {
    const files: FilesNow = new Map(paths.map((path) => [path, { is: 'unread', why } as const]));
    if (!call.isOwn || paths.length === 0) return { files: new Map(), seen: undefined, failed: undefined };
    return { files, seen: sha256(JSON.stringify(['not compared', why, ...paths])), failed: why };
  };
  const compare = async (): Promise<ComparedFiles> => {
    const files = await look(project, call, paths, { isWhole: whole !== undefined });
    const seen = await seenDigest(project, call, { files, seen: seenOf(args, files) });
    return { files, seen, failed: undefined };
  };
  const over = new AbortController();
  try {
    const tooSlow = pause(longestMs, notCompared('reading it takes too long'), { signal: over.signal });
    return await Promise.race([compare(), tooSlow]);
  } catch {
    return notCompared('it could not be read');
  } finally {
    over.abort();
  }
}

/** Which files it is about stands where nobody looks. */
function tooLong({ callDigest }: Approval): ComparedFiles {
  const failed = 'the call is too long to be kept';
  return { files: new Map(), seen: sha256(JSON.stringify(['not compared', failed, callDigest])), failed };
}

async function seenDigest(
  project: Pick<Project, 'root' | 'state'>,
  call: CallOfFiles,
  { files, seen }: { readonly files: FilesNow; readonly seen: string | undefined },
): Promise<string | undefined> {
  if (files.size === 0) return undefined;
  return sha256(JSON.stringify([seen ?? '', ...(await filesMarks(project, call, files))]));
}
