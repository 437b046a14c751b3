import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Checkpoint } from '../../events/event-log.ts';
import {
  foldSignature,
  fromSnapshot,
  limitsSchema,
  pinsFromSnapshot,
  pinsSchema,
  pinsToSnapshot,
  policyRulesSchema,
  spendingSchema,
  toSnapshot,
} from '../../machines/project-snapshot.ts';
import { createProjectState } from '../../machines/project-state.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { codeOf } from '../../lib/system-error.ts';
import { version } from '../../version.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { isOver, CompressedStream } from './sleeping-stream.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

/** A folded state and the place in the log up to which it is folded. */
export type Folded = { readonly state: ProjectState; readonly checkpoint: Checkpoint };

const NEWLINE = 0x0a;

/**
 * The second line; the first is the CRC-32 of all that follows it, so that a damaged file is found at
 * once. After the header come the streams, as `streams` lists them: JSON when awake, deflated when asleep.
 */
const headerSchema = z.strictObject({
  signature: z.string(),
  checkpoint: z.strictObject({
    position: z.int().nonnegative(),
    proof: z.string(),
    heads: z.record(z.string(), z.strictObject({ version: z.int().positive(), hash: z.string() })),
  }),
  spending: spendingSchema,
  limits: limitsSchema,
  policyRules: policyRulesSchema,
  pins: pinsSchema,
  /** Id, bytes of the list of request ids (`null`: it is awake and needs none), bytes of the state. */
  streams: z.array(z.tuple([z.string(), z.int().nullable(), z.int()])),
});
type Header = z.infer<typeof headerSchema>;

/** Digest of this version and its machines. A cache with another one is made anew. */
const signature = createHash('sha256').update(version).update(foldSignature()).digest('base64url');

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
  const [sum, checked] = splitLine(file);
  if (crc32(checked) !== Number(sum)) return undefined;
  const [line, body] = splitLine(checked);
  const header = jsonValue(line);
  // Compiled, and without a copy: a thousand streams take 1 ms so, else 20.
  if (!z.compile(headerSchema).validate(header) || header.signature !== signature) return undefined;
  return { state: readState(header, body), checkpoint: header.checkpoint };
}

/**
 * Writes a snapshot in one rename; a reader sees the old one or the new one. On a full or read-only
 * disk there is none: the next open folds a longer stretch, and nothing else is lost.
 */
export async function saveSnapshot(path: string, { state, checkpoint }: Folded): Promise<void> {
  const parts = [...sleepingParts(state), ...wakingParts(state)];
  const header: Header = {
    signature,
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
    await writeAtomically(path, Buffer.concat([Buffer.from(`${crc32(checked)}\n`), checked]));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

function readState(
  { streams: rows, spending, limits, policyRules, pins }: Header,
  body: Buffer,
): ProjectState {
  const state = createProjectState({ spending, limits, policyRules, pins: pinsFromSnapshot(pins) });
  const { streams } = state;
  let start = 0;
  const take = (bytes: number) => body.subarray(start, (start += bytes));
  for (const [id, idBytes, stateBytes] of rows) {
    if (idBytes === null) streams.set(id, fromSnapshot(JSON.parse(take(stateBytes).toString())));
    else streams.sleep(id, new CompressedStream(take(idBytes), take(stateBytes)));
  }
  return state;
}

/** A stream in the file: its row in the header, and its bytes. */
type Part = { readonly row: Header['streams'][number]; readonly bytes: readonly Buffer[] };

function sleepingParts({ streams }: ProjectState): Part[] {
  return [...streams.asleep()].map(([id, dormant]) =>
    sleepingPart(id, dormant instanceof CompressedStream ? dormant : CompressedStream.of(dormant.wake())),
  );
}

function wakingParts({ streams }: ProjectState): Part[] {
  return streams.awake().map((sprint) => {
    if (isOver(sprint)) return sleepingPart(sprint.id, CompressedStream.of(sprint));
    const json = Buffer.from(JSON.stringify(toSnapshot(sprint)));
    return { row: [sprint.id, null, json.length], bytes: [json] };
  });
}

function sleepingPart(id: string, { requestIds, state }: CompressedStream): Part {
  return { row: [id, requestIds.length, state.length], bytes: [requestIds, state] };
}

/** The text up to the first newline, and what follows it. */
function splitLine(bytes: Buffer): [line: string, rest: Buffer] {
  const end = bytes.indexOf(NEWLINE);
  return [bytes.toString('utf8', 0, Math.max(end, 0)), bytes.subarray(end + 1)];
}
