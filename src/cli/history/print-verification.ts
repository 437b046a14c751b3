import { join, relative } from 'node:path';
import { CliffordError } from '../../errors.ts';
import type { TornTail } from '../../events/jsonl/tail.ts';
import { count } from '../../lib/text/count.ts';
import {
  chosenProjectLog,
  mirrorInstead,
  type ProjectLog,
} from '../../workflow/project/chosen-project-log.ts';
import { logFile } from '../../workflow/project/project-log.ts';
import { requireProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import { mirrorText } from '../text/mirror-text.ts';
import { hanging } from '../text/paragraph.ts';
import { verifyLog, verifyServedLog, type Verified } from './verify-log.ts';

/**
 * Verifies the log of the project and prints one line about it, and one about a torn tail.
 *
 * @throws {CliffordError} `LOG_CORRUPT`, which ends with 1: damage is what was asked for.
 */
export async function printVerification(cli: Cli, json: boolean): Promise<void> {
  const root = requireProjectRoot(cli);
  const dir = join(root, STATE_DIR);
  const { served, mirror, verified } = await verifyHere(
    dir,
    await chosenProjectLog({ root, env: cli.env }),
  ).catch((error: unknown) => {
    if (!(error instanceof CliffordError && error.code === 'LOG_CORRUPT')) throw error;
    const { message, code, fix } = error;
    throw new CliffordError(message, { code, fix, recovery: 'give-up', cause: error });
  });
  const { events, streams, head, tornTail } = verified;
  const file = logFile(dir);
  const shown = served ?? (relative(cli.cwd, file) || file);
  if (mirror) cli.note(mirrorText(mirror));
  if (json) {
    cli.print(
      JSON.stringify({
        file: shown,
        events,
        streams,
        head,
        tornTail: tornTail ?? null,
        mirror: mirror ? { of: mirror.of, at: mirror.at } : null,
      }),
    );
    return;
  }
  if (mirror && events === 0) {
    const none = `${shown} has no event of ${mirror.of}`;
    cli.print(hanging(cli, 'nothing is mirrored yet: ', none, 2));
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

/** What was verified: the log that is chosen, or its mirror, where its server cannot be reached. `dir`: the `.clifford` of the project. */
async function verifyHere(
  dir: string,
  chosen: ProjectLog,
): Promise<
  Pick<ProjectLog, 'served' | 'mirror'> & { readonly verified: Awaited<ReturnType<typeof verify>> }
> {
  const { served, mirror } = chosen;
  try {
    return {
      ...(served !== undefined && { served }),
      ...(mirror && { mirror }),
      verified: await verify(dir, chosen),
    };
  } catch (error) {
    const kept = mirrorInstead(error, dir, chosen);
    if (!kept) throw error;
    return { mirror: kept.mirror, verified: await verify(dir, kept) };
  }
}

async function verify(
  dir: string,
  { open, snapshot, served }: ProjectLog,
): Promise<Verified & { readonly tornTail?: TornTail | undefined }> {
  if (served === undefined) return verifyLog(logFile(dir));
  const log = await open({ dir, redact: (_type, data) => data });
  try {
    return await verifyServedLog(log, { name: served, snapshotPath: join(dir, 'cache', snapshot) });
  } finally {
    await log.close();
  }
}
