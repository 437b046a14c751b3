import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../lib/digest.ts';

/** A project's `.clifford`. */
type Place = { readonly dir: string };

/** Where it is noted by its id what of the log is of this folder, where machines share that. */
export function notesFolder({ dir }: Place): string {
  return join(dir, 'claims');
}

/** The file of a note. */
export function notePath({ dir }: Place, id: string): string {
  return join(notesFolder({ dir }), noteName(id));
}

/** What it is called. The log may have come with a checkout: an id is no file name. */
export function noteName(id: string): string {
  return sha256(id, 'hex').slice(0, 32);
}

/** Whether something is of this folder. */
export function isNotedHere(place: Place, id: string): boolean {
  return existsSync(notePath(place, id));
}
