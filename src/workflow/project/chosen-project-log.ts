import { sha256 } from '../../lib/digest.ts';
import { chooseLog } from '../log/choose-log.ts';
import { openLogFile, type OpenLog } from './project-log.ts';

/** The log of a project. */
export type ProjectLog = {
  readonly open: OpenLog;
  /** The file in `.clifford/cache/` that has the snapshot of its fold. */
  readonly snapshot: string;
  /** What it is called, where it is on a server: `nats://host:4222/project`. */
  readonly served?: string;
};

/** The snapshot of the log in the file. */
const FILE_SNAPSHOT = 'state.json';
/** Characters of a digest in a file's name. */
const DIGEST_LENGTH = 16;

/** A log that is opened so, with its snapshot where that of the file is. */
export function projectLogOf(open: OpenLog): ProjectLog {
  return { open, snapshot: FILE_SNAPSHOT };
}

/**
 * The log that is chosen for a project: the file, or one on a server. What speaks with servers is loaded when one is opened:
 * most projects have their log in the file.
 *
 * @throws {CliffordError} as `chooseLog` does.
 */
export async function chosenProjectLog(place: {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<ProjectLog> {
  const served = await chooseLog(place);
  if (!served) return projectLogOf(openLogFile);
  return {
    served: served.name,
    snapshot: `state-${sha256(served.name).slice(0, DIGEST_LENGTH)}.json`,
    open: async ({ redact }) => {
      const { openJetStreamLog } = await import('../../events/jetstream/jetstream-log.ts');
      return openJetStreamLog({ ...served, redact });
    },
  };
}
