import { CliffordError } from '../../errors.ts';
import { duration } from '../../lib/time/duration.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { RemoteChannel } from './remote-channel.ts';

/** Where what happens to a channel is said. */
export type Saying = {
  readonly project: Project;
  readonly channel: RemoteChannel;
  readonly report: (problem: string) => void;
};

const MAX_WHY = 300;

/** Says that a channel does not work: to whoever sees this process, and in the log. */
export async function recordFailed(
  saying: Saying,
  { stream, why: words, retryMs }: { stream: string; why: string; retryMs: number | undefined },
): Promise<void> {
  const { project, channel, report } = saying;
  const { name, service } = channel;
  const why = project.asLogged(words).slice(0, MAX_WHY);
  report(
    `notify.channels.${name} (${service}): ${why}${retryMs === undefined ? '' : `; tried again in ${duration(retryMs)}`}`,
  );
  const data = { channel: name, service, why, ...(retryMs === undefined ? {} : { retryMs }) };
  await recordIfPossible(saying, stream, { type: 'notify.failed', subject: stream, data });
}

/** Records a fact. A log that cannot be written stops no call: it is said, and `false`. */
export async function recordIfPossible(
  { project, report }: Saying,
  stream: string,
  fact: Candidate,
): Promise<boolean> {
  try {
    await project.record(stream, [fact]);
    return true;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    report(error.inOneLine);
    return false;
  }
}
