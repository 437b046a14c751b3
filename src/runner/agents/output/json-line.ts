import type { z } from 'zod';
import { jsonValue } from '../../../lib/json/json-value.ts';
import type { AgentSignal } from './agent-signal.ts';
import { isJsonObject } from '../../../lib/json/json-object.ts';

/** Reads one kind of record. `undefined`: it does not look as it should. */
export type RecordReader = (record: unknown) => readonly AgentSignal[] | undefined;

/** A reader of the records that a schema describes. */
export function reads<S extends z.ZodType>(
  schema: S,
  signalsOf: (record: z.output<S>) => readonly AgentSignal[],
): RecordReader {
  return (record) => {
    const parsed = schema.safeParse(record);
    return parsed.success ? signalsOf(parsed.data) : undefined;
  };
}

/**
 * What a line of JSON says, by the reader for its `type`. Records of other types say nothing. A line that is
 * no JSON object, or whose record looks different than it should, is `undefined`: people see it as it is.
 */
export function readJsonLine(
  line: string,
  readers: Readonly<Record<string, RecordReader>>,
): readonly AgentSignal[] | undefined {
  const record = jsonObject(line);
  const type = record?.['type'];
  if (!record || typeof type !== 'string') return undefined;
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  return reader ? reader(record) : [];
}

/** The JSON object that a line is. `undefined`: it is something else, or half a line, as a CLI leaves that is killed. */
export function jsonObject(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  const value = jsonValue(line);
  return isJsonObject(value) ? value : undefined;
}
