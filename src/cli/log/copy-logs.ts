import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { copyLog } from '../../events/copy/copy-log.ts';
import type { LineLog } from '../../events/copy/line-log.ts';
import { openJsonlLines } from '../../events/jsonl/jsonl-lines.ts';
import { count } from '../../lib/text/count.ts';
import { namedLog } from '../../workflow/log/choose-log.ts';
import { isMirror } from '../../workflow/log/mirror-log.ts';
import { readMirrorMark } from '../../workflow/log/mirror-mark.ts';
import { logFile } from '../../workflow/project/project-log.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';

/** What is copied where: each a file, or a URL. */
type CopyOrder = {
  readonly from: string;
  readonly to: string;
  /** Ids. Default: all. */
  readonly sprint?: readonly string[] | undefined;
  readonly json?: true | undefined;
};

/** `clifford log copy`: copies, and says what was. */
export async function copyLogs(cli: Cli, { from, to, sprint, json }: CopyOrder): Promise<void> {
  // Whoever writes events can write answers.
  requireHuman(cli, 'copy a log', { dir: join(findProjectRoot(cli), STATE_DIR) });
  const source = await openLines(cli, from);
  try {
    if (!isUrl(from) && !existsSync(source.name)) throw missing(source.name, 'there is no such file');
    if (!isUrl(to)) refuseMirror(resolve(cli.cwd, to));
    const target = await openLines(cli, to);
    try {
      if (source.name === target.name) throw sameLog(source.name);
      const copied = await copyLog(source, target, { streams: sprint && new Set(sprint) });
      const { events, streams, already } = copied;
      if (events + already === 0) throw missing(source.name, 'there are no events in it');
      if (json) return cli.print(JSON.stringify(copied));
      const before = already > 0 ? `; ${count(already, 'event')} were there already` : '';
      cli.say(`copied ${count(events, 'event')} of ${count(streams, 'stream')} to ${to}${before}`);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** @throws {CliffordError} `LOG_IS_MIRROR` when the file is kept as the mirror of another log. */
function refuseMirror(file: string): void {
  const mark = basename(file) === basename(logFile('')) ? readMirrorMark(dirname(file)) : undefined;
  if (mark) throw isMirror(file, mark);
}

async function openLines(cli: Cli, place: string): Promise<LineLog> {
  if (!isUrl(place)) return openJsonlLines(resolve(cli.cwd, place));
  const served = await namedLog(place, { root: findProjectRoot(cli), env: cli.env });
  const { openJetStreamLines } = await import('../../events/jetstream/jetstream-lines.ts');
  return openJetStreamLines(served);
}

function isUrl(place: string): boolean {
  return place.includes('://');
}

function missing(name: string, why: string): CliffordError {
  return new CliffordError(`Cannot copy ${name}: ${why}`, {
    code: 'LOG_MISSING',
    fix: 'Name the log of a project, .clifford/events.jsonl, or nats://host:4222/project',
  });
}

function sameLog(name: string): CliffordError {
  return new CliffordError(`Cannot copy ${name} to itself`, {
    code: 'LOG_SAME',
    fix: 'Name another log to copy to',
  });
}
