import { mkdirSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { streamOf, taskOf, type StoredEvent } from '../../events/envelope.ts';
import { codeOf } from '../../lib/system-error.ts';
import { isLink } from '../../lib/files/is-link.ts';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import type { Project } from '../project/project.ts';
import { BACKLOG_BYTES, CastTail } from './cast-tail.ts';
import { namedTranscript, TRANSCRIPTS_DIR } from './transcript-files.ts';

/** The system has no watches left, or none for this file system. */
const watchLimits = new Set(['ENOSPC', 'EMFILE', 'ENOSYS']);

type Followed = { readonly task: string; readonly runId: string; readonly tail: CastTail };

/** Transcripts that are followed. */
export type FollowedTranscripts = {
  /** Gives out at once what is there. */
  readonly read: () => void;
  readonly stop: () => void;
};

/**
 * Gives out what the agents of a stream write, read from their transcripts: the end of what is there,
 * then what comes. Woken by the file system, and by each event of the log where that is silent.
 *
 * @param begun - Told of each agent that is started, before what it writes.
 */
export function followTranscripts(
  project: Project,
  stream: string,
  append: (task: string, text: string, runId: string) => void,
  begun: (event: StoredEvent<'agent.started'>) => void = () => {},
): FollowedTranscripts {
  /** By path. */
  const followed = new Map<string, Followed>();
  const folder = join(project.dir, TRANSCRIPTS_DIR);
  const begin = (task: string, named: string | undefined) => {
    const path = namedTranscript(project.dir, named);
    if (path === undefined || followed.has(path)) return;
    followed.set(path, { task, runId: basename(path, '.cast'), tail: new CastTail(path, BACKLOG_BYTES) });
  };
  const readOn = ({ task, runId, tail }: Followed) => {
    const text = tail.read();
    if (text !== '') append(task, text, runId);
  };
  const readAll = () => followed.values().forEach(readOn);
  /** The files of one transcript have the name of its run in common. */
  const readOne = (file: string) => {
    const [run] = file.split('.', 1);
    for (const [path, each] of followed) if (basename(path).split('.', 1)[0] === run) readOn(each);
  };
  const note = (event: StoredEvent) => {
    if (!isStart(event) || streamOf(event.subject) !== stream) return;
    readAll();
    begun(event);
    begin(taskOf(event.subject) ?? stream, event.data.transcript);
  };

  for (const { id, agent } of project.state.streams.get(stream)?.tasks.values() ?? [])
    begin(id, agent?.transcript);
  const stopWatching = watchFolder(folder, (file) => (file === null ? readAll() : readOne(file)));
  const unsubscribe = project.subscribe((events) => {
    for (const event of events) note(event);
    readAll();
  });
  readAll();
  return {
    read: readAll,
    stop: () => {
      stopWatching();
      unsubscribe();
    },
  };
}

function isStart(event: StoredEvent): event is StoredEvent<'agent.started'> {
  return event.type === 'agent.started';
}

/**
 * Makes the folder, unless it is a link, which may lead anywhere. Where watching is not possible, or ends, the events of the log
 * are left to wake us.
 */
function watchFolder(folder: string, onChange: (file: string | null) => void): () => void {
  if (isLink(folder)) return () => {};
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    makeOwnFolder(folder);
    const watcher = watch(folder, (_event, file) => onChange(file));
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch (error) {
    if (watchLimits.has(codeOf(error) ?? '')) return () => {};
    throw error;
  }
}
