import { setTimeout as pause } from 'node:timers/promises';

/** How much earlier than the next one each answer is given, in ms: who is first changes from round to round. */
const LEAD_MS = 8;

/** Starts these one a little after the other, the one at `first` before the others, and waits for all. */
export async function inTurn(faces: readonly (() => Promise<unknown>)[], first: number): Promise<void> {
  await Promise.all(
    faces.map(async (face, place) => {
      await pause(((place + faces.length - first) % faces.length) * LEAD_MS);
      await face();
    }),
  );
}
