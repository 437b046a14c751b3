import { join } from 'node:path';
import type { EventLog } from '../../events/log/event-log.ts';
import { openJsonlLog } from '../../events/jsonl/jsonl-log.ts';
import type { Redactor } from '../../events/secrets/redaction.ts';
import { sha256 } from '../../lib/digest.ts';
import { chooseLog, type ServedLog } from '../log/choose-log.ts';

/** Opens the log of a project, once more for each handle. `dir`: its `.clifford`; `redact` keeps secrets out of the log. */
export type OpenLog = (place: { readonly dir: string; readonly redact: Redactor }) => Promise<EventLog>;

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

/** The file that has the log of a project. `dir`: its `.clifford`. */
export function logFile(dir: string): string {
  return join(dir, 'events.jsonl');
}

/** Opens the log in that file. */
export const openLogFile: OpenLog = ({ dir, redact }) => openJsonlLog(logFile(dir), { redact });

/** A log that is opened so, with its snapshot where that of the file is. */
export function projectLogOf(open: OpenLog): ProjectLog {
  return { open, snapshot: FILE_SNAPSHOT };
}

/**
 * The log that is chosen for a project: the file, or one on a server.
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
    open: ({ redact }) => openServedLog(served, redact),
    snapshot: `state-${sha256(served.name).slice(0, DIGEST_LENGTH)}.json`,
  };
}

/** Opens a log on a server. What speaks with it is loaded now: most projects have their log in the file. */
async function openServedLog(served: ServedLog, redact?: Redactor): Promise<EventLog> {
  const { openJetStreamLog } = await import('../../events/jetstream/jetstream-log.ts');
  return openJetStreamLog({ ...served, redact });
}
