import type { z } from 'zod';
import type { ConfigProblem, LineAndColumn } from './config-problem.ts';

/** The value of one key as a file has it, variables not replaced. */
export type ConfigLeaf = {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly schema: z.ZodType;
  readonly place: LineAndColumn;
};

/** A key that means nothing to this version. */
export type UnknownKey = {
  readonly path: readonly string[];
  /** For people: names it, its place, and the key that may be meant, on one line. */
  readonly text: string;
};

/** A configuration file, read. */
export type ConfigDocument = {
  /** Absolute. */
  readonly file: string;
  /** Values that can be used, each in a key of its own. */
  readonly leaves: readonly ConfigLeaf[];
  readonly problems: readonly ConfigProblem[];
  /** They do no harm. */
  readonly unknownKeys: readonly UnknownKey[];
};
