import { basename } from 'node:path';
import { RESPONSE_FILE } from '../workflow/requests/signal-files.ts';
import { answerFileSchema, responseFileSchema } from './file-schemas.ts';
import type { Reading, SignalReader } from './signal-reader.ts';

/** What a human said in a file of either protocol. */
export type GivenAnswer = {
  readonly kind: 'response' | 'answer';
  readonly response: string;
  readonly rejected?: true | undefined;
  /** The request, or the question file, that it names. */
  readonly names?: string | undefined;
};

/** Reads an answer as the protocol of the file wants it. `label`: what it was called before it was claimed. */
export function readAnswer(reader: SignalReader, path: string, label: string): Reading<GivenAnswer> {
  if (basename(label) === RESPONSE_FILE) {
    const reading = reader.read(path, responseFileSchema);
    if (reading.state !== 'good') return reading;
    const { response, rejected, requestId } = reading.value;
    const turnedDown = rejected ? { rejected: true as const } : {};
    return { ...reading, value: { kind: 'response', response, ...turnedDown, names: requestId } };
  }
  const reading = reader.read(path, answerFileSchema);
  if (reading.state !== 'good') return reading;
  const { answer, id } = reading.value;
  return { ...reading, value: { kind: 'answer', response: answer, names: id } };
}
