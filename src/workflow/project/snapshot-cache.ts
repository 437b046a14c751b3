import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { dirname } from 'node:path';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import type { Checkpoint } from '../../events/log/event-log.ts';
import {
  fromSnapshot,
  pinsFromSnapshot,
  pinsToSnapshot,
  projectWideShape,
  toSnapshot,
} from '../../machines/project-snapshot.ts';
import { createProjectState, type ProjectState, type SprintState } from '../../machines/project-state.ts';
import { readOwnFile } from '../../lib/files/plain-file.ts';
import { codeOf } from '../../lib/system-error.ts';
import { version } from '../../version.ts';
import { foldDigest } from './fold-digest.ts';
import { once } from '../../lib/once.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { isOver, CompressedStream } from './compressed-stream.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

/** A folded state and the place in the log up to which it is folded. */
export type Folded = { readonly state: ProjectState; readonly checkpoint: Checkpoint };

/** What stands in place of a stream that is none: somebody forged the snapshot. */
export type Unreadable = (stream: string) => SprintState;

const NEWLINE = 0x0a;

/**
 * The second line; the first is the CRC-32 of all that follows it, so that a damaged file is found at
 * once. After the header come the streams, as `streams` lists them: JSON when loaded, deflated when compressed.
 */
const headerSchema = once(() =>
  z.strictObject({
    signature: z.string(),
    checkpoint: z.strictObject({
      token: z.string(),
      events: z.int().nonnegative(),
      heads: z.record(z.string(), z.strictObject({ version: z.int().positive(), hash: z.string() })),
    }),
    ...projectWideShape(),
    /** Id, bytes of the list of request ids (`null`: it is loaded and needs none), bytes of the state. */
    streams: z.array(z.tuple([z.string(), z.int().nullable(), z.int()])),
  }),
);
type Header = z.infer<ReturnType<typeof headerSchema>>;

/** Longest snapshot that is read, in bytes. That of a log of 1,000,000 events has 2 MB. */
const MAX_BYTES = 268_435_456;

/** What a snapshot has to be made by: this version, with this fold. Another one is made anew. */
const signature = () => `${version} ${foldDigest()}`;

/**
 * Reads a snapshot. It is a projection: a missing, damaged or foreign one, or what is no file of ours at all, is
 * `undefined` and costs a full fold, never truth. Whether it fits the log is checked by reading on from its
 * checkpoint; whether it says what the log says, by whoever decides something (docs/adr/014).
 *
 * Sprints that are over stay compressed, so that opening a long history costs little. `unreadable` says what is in place of
 * one that cannot be restored.
 */
export function loadSnapshot(path: string, unreadable: Unreadable): Folded | undefined {
  let file: Buffer;
  try {
    // At once: in turns of the event loop a long one takes three times as long.
    file = readOwnFile(path, { maxBytes: MAX_BYTES });
  } catch {
    return undefined;
  }
  const [sum, checked] = splitLine(file);
  if (crc32(checked) !== Number(sum)) return undefined;
  const [line, body] = splitLine(checked);
  try {
    const header = jsonValue(line);
    // Compiled, and without a copy: a thousand streams take 1 ms so, else 20.
    if (!z.compile(headerSchema()).validate(header) || header.signature !== signature()) return undefined;
    return { state: readState(header, body, unreadable), checkpoint: header.checkpoint };
  } catch {
    // Whatever is wrong with it: nothing of it counts.
    return undefined;
  }
}

/**
 * Writes a snapshot in one rename; a reader sees the old one or the new one. On a full or read-only
 * disk there is none: the next open folds a longer stretch, and nothing else is lost.
 */
export async function saveSnapshot(path: string, { state, checkpoint }: Folded): Promise<void> {
  const parts = [...compressedParts(state), ...loadedParts(state)];
  const header: Header = {
    signature: signature(),
    checkpoint,
    spending: state.spending,
    limits: [...state.limits],
    policyRules: [...state.policyRules],
    pins: pinsToSnapshot(state.pins),
    streams: parts.map(({ row }) => row),
  };
  const checked = Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    ...parts.flatMap(({ bytes }) => bytes),
  ]);
  try {
    makeOwnFolder(dirname(path));
    await writeAtomically(path, Buffer.concat([Buffer.from(`${crc32(checked)}\n`), checked]));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

function readState(
  { streams: rows, spending, limits, policyRules, pins }: Header,
  body: Buffer,
  unreadable: Unreadable,
): ProjectState {
  const state = createProjectState({ spending, limits, policyRules, pins: pinsFromSnapshot(pins) });
  const { streams } = state;
  let start = 0;
  const take = (bytes: number) => body.subarray(start, (start += bytes));
  for (const [id, idBytes, stateBytes] of rows) {
    if (idBytes === null) streams.set(id, fromSnapshot(JSON.parse(take(stateBytes).toString())));
    else streams.compress(id, new CompressedStream(take(idBytes), take(stateBytes), () => unreadable(id)));
  }
  return state;
}

/** A stream in the file: its row in the header, and its bytes. */
type Part = { readonly row: Header['streams'][number]; readonly bytes: readonly Buffer[] };

function compressedParts({ streams }: ProjectState): Part[] {
  return [...streams.compressed()].map(([id, compressed]) =>
    compressedPart(
      id,
      compressed instanceof CompressedStream ? compressed : CompressedStream.of(compressed.restore()),
    ),
  );
}

function loadedParts({ streams }: ProjectState): Part[] {
  return streams.loaded().map((sprint) => {
    if (isOver(sprint)) return compressedPart(sprint.id, CompressedStream.of(sprint));
    const json = Buffer.from(JSON.stringify(toSnapshot(sprint)));
    return { row: [sprint.id, null, json.length], bytes: [json] };
  });
}

function compressedPart(id: string, { requestIds, state }: CompressedStream): Part {
  return { row: [id, requestIds.length, state.length], bytes: [requestIds, state] };
}

/** The text up to the first newline, and what follows it. */
function splitLine(bytes: Buffer): [line: string, rest: Buffer] {
  const end = bytes.indexOf(NEWLINE);
  return [bytes.toString('utf8', 0, Math.max(end, 0)), bytes.subarray(end + 1)];
}
