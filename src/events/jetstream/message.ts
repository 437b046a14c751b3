import { hashLine } from '../line/line-codec.ts';

/** What one publish stored: whole appends to one stream of events. */
export type StoredMessage = {
  /** Its place in the log: 1, 2, 3 … */
  readonly seq: number;
  readonly subject: string;
  /** Lines without a newline at the end. */
  readonly text: string;
};

/** The place of a message, and the hash of its last line, by which it is known again. */
export type MessagePlace = { readonly seq: number; readonly proof: string };

/** The lines of a message. */
export function linesOf({ text }: StoredMessage): string[] {
  return text.split('\n');
}

/** The place at the end of a message. */
export function placeAfter(message: StoredMessage): MessagePlace {
  return { seq: message.seq, proof: hashLine(message.text.slice(message.text.lastIndexOf('\n') + 1)) };
}

/** The token of a checkpoint or bookmark. */
export function tokenOf({ seq, proof }: MessagePlace): string {
  return `${seq}:${proof}`;
}

const TOKEN = /^(?<seq>[1-9]\d{0,15}):(?<proof>[\w-]{43})$/;

/** What a token names, if a log of this kind made it. */
export function placeOf(token: string): MessagePlace | undefined {
  const { seq, proof } = TOKEN.exec(token)?.groups ?? {};
  return seq !== undefined && proof !== undefined ? { seq: Number(seq), proof } : undefined;
}
