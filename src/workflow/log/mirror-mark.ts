import { join } from 'node:path';
import { z } from 'zod';
import { ownText } from '../../lib/files/plain-file.ts';
import { writeOwn } from '../../lib/files/write-own.ts';

/** The file in `.clifford` that says that `events.jsonl` beside it is no log of its own, but the mirror of one on a server. */
export const MIRROR_FILE = 'mirror.json';
/** It is short. */
const MAX_BYTES = 65_536;

const markSchema = z.object({
  /** The log, as `nats://host:4222/project`. */
  of: z.string(),
  /** When it was the same as that, RFC 3339; `null`: it has not come as far yet. */
  at: z.iso.datetime().nullable(),
  /** The place in that log up to which it has it; `null`: nothing yet. */
  token: z.string().nullable(),
  /** Where its last whole append ended then, in bytes. */
  bytes: z.int().nonnegative().optional(),
  /** Of the bytes before that. */
  digest: z.string().optional(),
});

/** Of which log a file is the mirror, and how far. */
export type MirrorMark = Readonly<z.infer<typeof markSchema>>;

/**
 * The mark of a project whose log in the file is a mirror; `undefined`: it is none. One that cannot be read is a mark all the
 * same: of nobody knows what. `dir`: its `.clifford`.
 */
export function readMirrorMark(dir: string): MirrorMark | undefined {
  const text = ownText(join(dir, MIRROR_FILE), { maxBytes: MAX_BYTES });
  if (text === undefined) return undefined;
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return { of: 'a log on a server', at: null, token: null };
  }
}

/** Marks the file as a mirror, or how far it has come. */
export async function writeMirrorMark(dir: string, mark: MirrorMark): Promise<void> {
  await writeOwn(dir, join(dir, MIRROR_FILE), `${JSON.stringify(mark)}\n`);
}
