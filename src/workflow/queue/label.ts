import { z } from 'zod';
import { CliffordError } from '../../errors.ts';

/** What a worker has and a sprint needs, such as `gpu` or `macos`. Part of a subject. */
const labelSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'expected a lower-case letter or digit, then letters, digits and -');

/** Most labels of a worker, or needs of a sprint. */
const MAX_LABELS = 16;

/** Labels, each once and in order. `what`: where they stand, for the message, e.g. `--needs`. @throws {CliffordError} `LABEL_INVALID`. */
export function parseLabels(what: string, value: unknown): string[] {
  const parsed = z.array(labelSchema).max(MAX_LABELS).safeParse(value);
  if (parsed.success) return [...new Set(parsed.data)].toSorted();
  throw new CliffordError(`Cannot use ${what}: ${JSON.stringify(value)} is no list of labels`, {
    code: 'LABEL_INVALID',
    fix: `Name at most ${MAX_LABELS}, each of lower-case letters, digits and -, such as gpu,macos`,
  });
}
