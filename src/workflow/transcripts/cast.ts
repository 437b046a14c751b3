import { z } from 'zod';
import { jsonValue } from '../../lib/json/json-value.ts';

/**
 * The first line of an asciicast v3 (https://docs.asciinema.org/manual/asciicast/v3/). Other programs
 * may add keys.
 */
export const castHeaderSchema = z.looseObject({
  version: z.literal(3),
  term: z.looseObject({
    cols: z.int().positive(),
    rows: z.int().positive(),
    type: z.string().optional(),
  }),
  /** When it begins, in seconds since the epoch. */
  timestamp: z.number().optional(),
  title: z.string().optional(),
});
/** What {@link castHeaderSchema} takes. */
export type CastHeader = z.infer<typeof castHeaderSchema>;

/** Output, a marker, the exit status, and what others write: input, a resize. */
const codeSchema = z.enum(['o', 'm', 'x', 'i', 'r']);
export type CastCode = z.infer<typeof codeSchema>;

const castEventSchema = z.tuple([z.number().nonnegative(), codeSchema, z.string()]);
/** Seconds since the event before, what it is, and what it says. */
export type CastEvent = z.infer<typeof castEventSchema>;

const FAINT = '\u001B[2m';
const PLAIN = '\u001B[22m';

/** Output that is only kept, to be looked up: players show it faint. */
export function aside(text: string): string {
  return FAINT + text + PLAIN;
}

/** Whether output is only kept. */
export function isAside(text: string): boolean {
  return text.startsWith(FAINT) && text.endsWith(PLAIN);
}

/** One line of a cast, with its end. */
export function castLine(value: CastHeader | CastEvent): string {
  return `${JSON.stringify(value)}\n`;
}

/** The header that a line is; `undefined` for any other line. */
export function parseCastHeader(line: string): CastHeader | undefined {
  return castHeaderSchema.safeParse(jsonValue(line)).data;
}

/** The event that a line is; `undefined` for comments, headers, and what was damaged. */
export function parseCastEvent(line: string): CastEvent | undefined {
  return castEventSchema.safeParse(jsonValue(line)).data;
}
