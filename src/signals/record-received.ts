import type { RequestState } from '../machines/project-state.ts';
import type { Project } from '../workflow/project/project.ts';

/** A file that was accepted: what it is called, what it was, the digest of its bytes. */
export type Received = { readonly label: string; readonly kind: string; readonly digest: string };

/** Records that a file was accepted. */
export async function recordReceived(
  project: Project,
  stream: string,
  { label, kind, digest }: Received,
): Promise<void> {
  const data = { file: label, kind, digest };
  await project.record(stream, [{ type: 'signal.received', subject: stream, data }]);
}

/** Whether the log has it already, after the answer it was. Reads the stream: for what rarely happens. */
export async function wasReceived(
  project: Project,
  { id, stream }: RequestState,
  { label, digest }: Received,
): Promise<boolean> {
  let isAnswered = false;
  for await (const { events } of project.log.read({ stream })) {
    for (const event of events) {
      isAnswered ||= event.type === 'help.answered' && event.data.requestId === id;
      if (!isAnswered || event.type !== 'signal.received') continue;
      if (event.data.file === label && event.data.digest === digest) return true;
    }
  }
  return false;
}
