import { z } from 'zod';

/**
 * Why a runner ended an agent that had not ended by itself: its task was `finished` and it did not go;
 * it was `stopped` for a reason outside of it, e.g. Ctrl-C; it never said `initialize` (`unconnected`); it
 * was unresponsive (`stalled`); its turn was over and it did not exit (`hung`); its time was up
 * (`overtime`); the model's provider gave it no more (`limited`); it used up a budget (`overspent`).
 */
export const endReasonSchema = z.enum([
  'finished',
  'stopped',
  'unconnected',
  'stalled',
  'hung',
  'overtime',
  'limited',
  'overspent',
]);
/** One of {@link endReasonSchema}. */
export type EndReason = z.infer<typeof endReasonSchema>;

/** The same in a few words. */
export const endReasonText: Readonly<Record<EndReason, string>> = {
  finished: 'ended after its task was done',
  stopped: 'stopped',
  unconnected: 'ended because it did not connect to Clifford',
  stalled: 'ended because it was unresponsive',
  hung: 'ended because it did not exit after its turn',
  overtime: 'ended because its time was up',
  limited: 'it hit the usage limit of its provider',
  overspent: 'ended because a budget was used up',
};
