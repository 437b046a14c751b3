import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Checkpoint } from '../events/event-log.ts';
import { foldSignature, fromSnapshot, toSnapshot } from '../machines/project-snapshot.ts';
import { createProjectState } from '../machines/project-state.ts';
import type { ProjectState, SprintState } from '../machines/project-state.ts';
import { nameOf } from '../machines/words.ts';
import { version } from '../version.ts';
import { writeAtomically } from './write-atomically.ts';

/** A folded state and the place in the log up to which it is folded. */
export type Folded = { readonly state: ProjectState; readonly checkpoint: Checkpoint };

const NEWLINE = 0x0a;

/** The first line. The others are streams: `+` (awake) or `-` (asleep), the id, a space, the state. */
const headerSchema = z.strictObject({
  signature: z.string(),
  checkpoint: z.strictObject({
    position: z.int().nonnegative(),
    proof: z.string(),
    heads: z.record(z.string(), z.strictObject({ version: z.int().positive(), hash: z.string() })),
  }),
  /** CRC-32 of everything after this line: a damaged file is found at once, not when a stream wakes. */
  crc: z.int(),
});

/** Digest of this version and its machines. A cache with another one is made anew. */
const signature = createHash('sha256').update(version).update(foldSignature()).digest('base64url');

/** A stream that is over, as it stands in the file. */
class SleepingStream {
  readonly json: Buffer;

  constructor(json: Buffer) {
    this.json = json;
  }

  wake(): SprintState {
    return fromSnapshot(JSON.parse(this.json.toString()));
  }

  mentions(text: string): boolean {
    return this.json.includes(JSON.stringify(text).slice(1, -1));
  }
}

/**
 * Reads a snapshot. It is a projection: a missing, damaged or foreign one is `undefined` and costs
 * a full fold, never truth. Whether it fits the log is checked by reading on from its checkpoint.
 *
 * Sprints that are over stay asleep, so that opening a long history costs little.
 */
export function loadSnapshot(path: string): Folded | undefined {
  let file: Buffer;
  try {
    // At once: in turns of the event loop a long one takes three times as long.
    file = readFileSync(path);
  } catch {
    return undefined;
  }
  const end = file.indexOf(NEWLINE);
  const header = headerSchema.safeParse(parseJson(file.toString('utf8', 0, Math.max(end, 0))));
  if (!header.success || header.data.signature !== signature) return undefined;
  const body = file.subarray(end + 1);
  if (crc32(body) !== header.data.crc) return undefined;
  return { state: readStreams(body), checkpoint: header.data.checkpoint };
}

/**
 * Writes a snapshot in one rename; a reader sees the old one or the new one. Returns whether it
 * could: on a full or read-only disk the next open folds a longer stretch, and nothing else is lost.
 */
export async function saveSnapshot(path: string, { state, checkpoint }: Folded): Promise<boolean> {
  const body = Buffer.concat([...sleepingLines(state), ...wakingLines(state)]);
  const header = { signature, checkpoint, crc: crc32(body) } satisfies z.infer<typeof headerSchema>;
  try {
    await writeAtomically(path, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

function readStreams(body: Buffer): ProjectState {
  const state = createProjectState();
  for (let start = 0; start < body.length;) {
    const end = body.indexOf(NEWLINE, start);
    const space = body.indexOf(' ', start);
    const id = body.toString('utf8', start + 1, space);
    const stream = new SleepingStream(body.subarray(space + 1, end));
    if (body[start] === '-'.charCodeAt(0)) state.streams.sleep(id, stream);
    else state.streams.set(id, stream.wake());
    start = end + 1;
  }
  return state;
}

function sleepingLines({ streams }: ProjectState): Buffer[] {
  return [...streams.asleep()].map(([id, sleeper]) =>
    sleeper instanceof SleepingStream ? line('-', id, sleeper.json) : line('-', id, jsonOf(sleeper.wake())),
  );
}

function wakingLines({ streams }: ProjectState): Buffer[] {
  return streams.awake().map((sprint) => line(isOver(sprint) ? '-' : '+', sprint.id, jsonOf(sprint)));
}

/** Nothing is open, and only a late event can change it. */
function isOver({ machine, requests }: SprintState): boolean {
  if (!['done.completed', 'done.cancelled'].includes(nameOf(machine.value))) return false;
  return ![...requests.values()].some(({ phase }) => phase === 'open');
}

function jsonOf(sprint: SprintState): Buffer {
  return Buffer.from(JSON.stringify(toSnapshot(sprint)));
}

function line(mark: '+' | '-', id: string, json: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mark}${id} `), json, Buffer.of(NEWLINE)]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
