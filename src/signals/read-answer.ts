import { basename } from 'node:path';
import { RESPONSE_FILE } from '../workflow/requests/signal-files.ts';
import { answerFileSchema, responseFileSchema } from './file-schemas.ts';
import type { Reading, SignalReader } from './signal-reader.ts';

/** What a human said in a file of either protocol. */
export type GivenAnswer = {
  readonly kind: 'response' | 'answer';
  readonly response: string;
  readonly rejected?: true | undefined;
  readonly rephrase?: true | undefined;
  /** Of several questions: as the file has them. */
  readonly answers?: unknown;
  /** The request, or the question file, that it names. */
  readonly names?: string | undefined;
};

type Flags = { readonly rejected?: boolean | undefined; readonly rephrase?: boolean | undefined };

/** Reads an answer as the protocol of the file wants it. `label`: what it was called before it was claimed. */
export function readAnswer(reader: SignalReader, path: string, label: string): Reading<GivenAnswer> {
  if (basename(label) === RESPONSE_FILE) {
    const reading = reader.read(path, responseFileSchema);
    if (reading.state !== 'good') return reading;
    const { response, requestId } = reading.value;
    return { ...reading, value: { kind: 'response', response, ...turned(reading.value), names: requestId } };
  }
  const reading = reader.read(path, answerFileSchema);
  if (reading.state !== 'good') return reading;
  const { answer: response = '', answers, id } = reading.value;
  return { ...reading, value: { kind: 'answer', response, answers, ...turned(reading.value), names: id } };
}

function turned({ rejected, rephrase }: Flags): Pick<GivenAnswer, 'rejected' | 'rephrase'> {
  return { ...(rejected ? { rejected: true } : {}), ...(rephrase ? { rephrase: true } : {}) };
}
