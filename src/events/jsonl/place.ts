import type { Checkpoint } from '../log/event-log.ts';

/** A place in the file between two lines: its offset in bytes, and the hash of the line before it. */
export type FilePlace = { readonly position: number; readonly proof: string };

/** The beginning of the file. */
export const START: FilePlace = { position: 0, proof: '' };

const TOKEN = /^(\d{1,15}):([\w-]*)$/;

/** A place as the token of a checkpoint. */
export function tokenOf({ position, proof }: FilePlace): string {
  return `${position}:${proof}`;
}

/** The place that the token of a checkpoint names; `undefined` when this engine has not made it. */
export function placeOf({ token }: Pick<Checkpoint, 'token'>): FilePlace | undefined {
  const [, position, proof = ''] = TOKEN.exec(token) ?? [];
  return position === undefined ? undefined : { position: Number(position), proof };
}
