import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ifThere } from '../../lib/files/if-there.ts';
import { isLink } from '../../lib/files/is-link.ts';
import { STATE_DIR } from '../project/project-root.ts';

/** Folder of the transcripts, below a project's `.clifford/`. */
export const TRANSCRIPTS_DIR = 'transcripts';

const EXTENSION = '.cast';

/** Path of an attempt's transcript below the project's `.clifford/`: of its first segment. */
export function transcriptPath(runId: string): string {
  return `${TRANSCRIPTS_DIR}/${runId}${EXTENSION}`;
}

/**
 * Absolute path of the transcript that `agent.started` names; `undefined` when that is no file of the project's
 * folder of transcripts, since a log may have come with a checkout and name what it likes.
 *
 * @param stateDir - The project's `.clifford`.
 */
export function namedTranscript(stateDir: string, named: string | undefined): string | undefined {
  const folder = join(stateDir, TRANSCRIPTS_DIR);
  const name = basename(named ?? '');
  const isOwn = /^[\w-]+\.cast$/.test(name) && named === `${STATE_DIR}/${TRANSCRIPTS_DIR}/${name}`;
  return isOwn && !isLink(folder) ? join(folder, name) : undefined;
}

/** Path of a segment, counted from 1, of the transcript at `path`: `run.cast`, `run.2.cast`, … */
export function segmentPath(path: string, segment: number): string {
  return segment === 1 ? path : `${withoutExtension(path)}.${segment}${EXTENSION}`;
}

/** The segments of the transcript at `path` that are there, in order. Reads its folder. */
export function segmentsOf(path: string): number[] {
  const first = basename(path);
  const start = `${withoutExtension(first)}.`;
  return namesIn(dirname(path))
    .flatMap((name) => {
      if (name === first) return [1];
      if (!name.startsWith(start) || !name.endsWith(EXTENSION)) return [];
      const number = name.slice(start.length, -EXTENSION.length);
      return /^[1-9]\d*$/.test(number) ? [Number(number)] : [];
    })
    .sort((a, b) => a - b);
}

/** The run ids of the attempts that have a transcript in a project's `.clifford/`. */
export function recordedRuns(stateDir: string): string[] {
  return namesIn(join(stateDir, TRANSCRIPTS_DIR)).flatMap(
    (name) => /^([^.]+)\.cast$/.exec(name)?.slice(1) ?? [],
  );
}

function withoutExtension(path: string): string {
  return path.endsWith(EXTENSION) ? path.slice(0, -EXTENSION.length) : path;
}

function namesIn(folder: string): string[] {
  return isLink(folder) ? [] : ifThere(() => readdirSync(folder), []);
}
