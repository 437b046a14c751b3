import { z } from 'zod';

/** The reasons of {@link endReasonSchema}, each in a few words. */
export const endReasonText = {
  finished: 'its task was done',
  stopped: 'stopped',
  unconnected: 'it did not connect to Clifford',
  stalled: 'it was unresponsive',
  hung: 'it did not exit after its turn',
  turned: 'its turn was over',
  overtime: 'its time was up',
  limited: 'it hit the usage limit of its provider',
  overspent: 'a budget was used up',
  unasked: 'it did something without asking',
  parked: 'parked until a human has answered',
} as const;

const reasons = Object.keys(endReasonText) as (keyof typeof endReasonText)[];

/**
 * Why a runner ended an agent that had not ended by itself: its task was `finished` and it did not go;
 * it was `stopped` for a reason outside of it, e.g. Ctrl-C; it never said `initialize` (`unconnected`); it
 * was unresponsive (`stalled`); its turn was over and it did not exit (`hung`), or had not to, since it is spoken with
 * over a protocol (`turned`); its time was up (`overtime`); the model's provider gave it no more (`limited`); it used up a budget (`overspent`);
 * it did without asking what the policy does not allow (`unasked`); it had waited for a human for long (`parked`).
 */
export const endReasonSchema = z.enum(reasons);

/** One of {@link endReasonSchema}. */
export type EndReason = z.infer<typeof endReasonSchema>;
