import { join } from 'node:path';
import type { EventLog } from '../../events/log/event-log.ts';
import { openJsonlLog } from '../../events/jsonl/jsonl-log.ts';
import type { Redactor } from '../../events/secrets/redaction.ts';

/** Opens the log of a project, once more for each handle. `dir`: its `.clifford`; `redact` keeps secrets out of the log. */
export type OpenLog = (place: { readonly dir: string; readonly redact: Redactor }) => Promise<EventLog>;

/** The file that has the log of a project. `dir`: its `.clifford`. */
export function logFile(dir: string): string {
  return join(dir, 'events.jsonl');
}

/** Opens the log in that file. */
export const openLogFile: OpenLog = ({ dir, redact }) => openJsonlLog(logFile(dir), { redact });
