import { join, resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { sha256 } from '../../lib/digest.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { chooseLog } from '../log/choose-log.ts';
import { reachesEnd } from '../log/mirror-end.ts';
import { openMirror } from '../log/mirror-log.ts';
import { readMirrorMark, type MirrorMark } from '../log/mirror-mark.ts';
import { openLogFile, type OpenLog } from './project-log.ts';
import { RUN_ID_VARIABLE } from './run-id-variable.ts';
import { findProjectRoot, STATE_DIR } from './project-root.ts';

/** The log of a project. */
export type ProjectLog = {
  readonly open: OpenLog;
  /** The file in `.clifford/cache/` that has the snapshot of its fold. */
  readonly snapshot: string;
  /** What it is called, where it is on a server: `nats://host:4222/project`. */
  readonly served?: string;
  /** Set where it is the mirror of one on a server, which nothing can be appended to. */
  readonly mirror?: MirrorMark;
};

/** The project whose log it is, and what the caller goes by. */
type LogPlace = {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** The snapshot of the log in the file. */
const FILE_SNAPSHOT = 'state.json';
/** Characters of a digest in a file's name. */
const DIGEST_LENGTH = 16;

/** A log that is opened so, with its snapshot where that of the file is. */
export function projectLogOf(open: OpenLog): ProjectLog {
  return { open, snapshot: FILE_SNAPSHOT };
}

/** A log that is the mirror of one on a server. */
type MirrorLog = ProjectLog & { readonly mirror: MirrorMark };

/** The mirror that stands in for a log whose server cannot be reached; `undefined`: there is none. `dir`: the `.clifford` of the project. */
export function mirrorInstead(error: unknown, dir: string, { served }: ProjectLog): MirrorLog | undefined {
  const isAway = error instanceof CliffordError && error.code === 'LOG_UNREACHABLE';
  const log = isAway ? mirrorOf(dir) : undefined;
  return log?.mirror.of === served ? log : undefined;
}

function mirrorOf(dir: string): MirrorLog | undefined {
  const mark = readMirrorMark(dir);
  if (!mark) return undefined;
  // What it lacks of its end since it was marked may be anything.
  const mirror = reachesEnd(dir, mark) ? mark : { ...mark, at: null };
  return { ...projectLogOf(openMirror(mirror)), mirror };
}

/**
 * The log that is chosen for a project: the file, or one on a server. The file may be the mirror of one that is not named here.
 * What speaks with servers is loaded when one is opened: most projects have their log in the file.
 *
 * @param onAway - Is told that the server is away, where what an agent has started waits for it to be back, however long that takes.
 * @param awayUntil - Until when it does at most, as `performance.now()` has it.
 * @throws {CliffordError} as `chooseLog` does.
 */
export async function chosenProjectLog({
  onAway,
  awayUntil,
  ...place
}: LogPlace & {
  readonly onAway?: ((error: CliffordError) => void) | undefined;
  readonly awayUntil?: number | undefined;
}): Promise<ProjectLog> {
  const served = await chooseLog(place);
  if (!served) return mirrorOf(join(place.root, STATE_DIR)) ?? projectLogOf(openLogFile);
  return {
    served: served.name,
    snapshot: `state-${sha256(served.name).slice(0, DIGEST_LENGTH)}.json`,
    open: async ({ redact }) => {
      const { openJetStreamLog } = await import('../../events/jetstream/jetstream-log.ts');
      const patience = isOfAttempt(place) ? { isPatient: true, onAway, awayUntil } : {};
      return openJetStreamLog({ ...served, redact, ...patience });
    },
  };
}

/** Whether an attempt in this project has begun with its log: what the agent starts does not fail with a server that is started anew. */
function isOfAttempt({ root, env }: LogPlace): boolean {
  const { [RUN_ID_VARIABLE]: runId, CURRENT_SPRINT_DIR: sprint } = env;
  if (!runId) return false;
  return !sprint || realPath(findProjectRoot({ env: {}, cwd: resolve(root, sprint) })) === realPath(root);
}
