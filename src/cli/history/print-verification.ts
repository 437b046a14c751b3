import { count } from '../../lib/text/count.ts';
import { CliffordError } from '../../errors.ts';
import { LogCorruptError } from '../../events/jsonl/log-errors.ts';
import type { Cli } from '../cli.ts';
import { hanging } from '../text/paragraph.ts';
import { verifyLog } from './verify-log.ts';

/**
 * Verifies a log and prints one line about it, and one about a torn tail.
 *
 * @param shown - The file as the reader knows it.
 * @throws {CliffordError} `LOG_CORRUPT`, which ends with 1: damage is what was asked for.
 */
export async function printVerification(
  cli: Cli,
  file: string,
  { json, shown }: { json: boolean; shown: string },
): Promise<void> {
  const verified = await verifyLog(file).catch((error: unknown) => {
    if (!(error instanceof LogCorruptError)) throw error;
    const { message, code, fix } = error;
    throw new CliffordError(message, { code, fix, recovery: 'give-up', cause: error });
  });
  const { events, streams, head, tornTail } = verified;
  if (json) {
    cli.print(JSON.stringify({ file: shown, events, streams, head, tornTail: tornTail ?? null }));
    return;
  }
  const counted = `${count(events, 'event')} in ${count(streams, 'stream')}`;
  const holds = `${shown}: ${counted}, chain, schemas and legality hold, head ${head || 'none'}`;
  cli.print(hanging(cli, `${cli.style('green', 'verified')} `, holds, 2));
  if (tornTail) {
    const torn = `${tornTail.bytes} bytes after byte ${tornTail.offset} are a write that a crash cut short, not damage`;
    cli.print(hanging(cli, 'note: ', `${torn}; the next append moves them to quarantine`, 2));
  }
}
