import { duration } from '../../lib/time/duration.ts';
import type { Project } from '../../workflow/project/project.ts';
import { recordIfPossible } from '../record-if-possible.ts';
import type { RemoteChannel } from './remote-channel.ts';

/** Of why a channel does not work, in the log, in characters. */
const MAX_WHY = 300;

/** Where what happens to a channel is said. */
export type Saying = {
  readonly project: Project;
  readonly channel: RemoteChannel;
  readonly report: (problem: string) => void;
};

/** Says that a channel does not work: to whoever sees this process, and in the log, which is not waited for behind `signal`. */
export async function recordFailed(
  saying: Saying,
  { stream, why: words, retryMs }: { stream: string; why: string; retryMs: number | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { project, channel, report } = saying;
  const { name, service } = channel;
  const why = project.asLogged(words).slice(0, MAX_WHY);
  report(
    `notify.channels.${name} (${service}): ${why}${retryMs === undefined ? '' : `; tried again in ${duration(retryMs)}`}`,
  );
  const data = { channel: name, service, why, ...(retryMs === undefined ? {} : { retryMs }) };
  await recordIfPossible(saying, stream, [{ type: 'notify.failed', subject: stream, data }], signal);
}
