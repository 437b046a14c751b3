import { closeSync, fstatSync, mkdirSync, openSync, readSync, watch } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { streamOf, taskOf } from '../events/envelope.ts';
import type { StoredEvent } from '../events/envelope.ts';
import type { Project } from '../workflow/project.ts';

/** As much of what was written before is shown, in bytes. */
const BACKLOG_BYTES = 65_536;

/** The system has no watches left, or none for this file system. */
const watchLimits = new Set(['ENOSPC', 'EMFILE', 'ENOSYS']);

type Transcript = { readonly task: string; readonly decoder: StringDecoder; position: number | undefined };

/**
 * Gives out what the agents of a stream write, read from their transcripts: the end of what is there,
 * then what comes. Woken by the file system, and by each event of the log where that is silent.
 *
 * @returns the function that ends it.
 */
export function followTranscripts(
  project: Project,
  stream: string,
  append: (task: string, text: string) => void,
): () => void {
  const transcripts = new Map<string, Transcript>();
  const folder = join(project.dir, 'transcripts');
  const begin = (task: string, path: string | undefined) => {
    if (path === undefined || transcripts.has(path)) return;
    transcripts.set(path, { task, decoder: new StringDecoder('utf8'), position: undefined });
  };
  const readAll = () => {
    for (const [path, transcript] of transcripts) readOn(join(project.root, path), transcript, append);
  };
  const note = (event: StoredEvent) => {
    if (event.type !== 'agent.started' || streamOf(event.subject) !== stream) return;
    begin(taskOf(event.subject) ?? stream, event.data.transcript);
  };

  for (const { id, agent } of project.state.streams.get(stream)?.tasks.values() ?? [])
    begin(id, agent?.transcript);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stopWatching = watchFolder(folder, readAll);
  const unsubscribe = project.subscribe((events) => {
    for (const event of events) note(event);
    readAll();
  });
  readAll();
  return () => {
    stopWatching();
    unsubscribe();
  };
}

/** Where watching is not possible, or ends, the events of the log are left to wake us. */
function watchFolder(folder: string, onChange: () => void): () => void {
  try {
    const watcher = watch(folder, onChange);
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch (error) {
    if (error instanceof Error && 'code' in error && watchLimits.has(String(error.code))) return () => {};
    throw error;
  }
}

function readOn(path: string, transcript: Transcript, append: (task: string, text: string) => void): void {
  const fd = openIfThere(path);
  if (fd === undefined) return;
  try {
    const { size } = fstatSync(fd);
    let position = transcript.position ?? Math.max(0, size - BACKLOG_BYTES);
    const buffer = Buffer.allocUnsafe(Math.min(BACKLOG_BYTES, Math.max(0, size - position)));
    while (position < size) {
      const read = readSync(fd, buffer, 0, buffer.length, position);
      if (read === 0) break;
      position += read;
      append(transcript.task, transcript.decoder.write(buffer.subarray(0, read)));
    }
    transcript.position = position;
  } finally {
    closeSync(fd);
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    // Its first line is still to be written, or it was cleaned up.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
