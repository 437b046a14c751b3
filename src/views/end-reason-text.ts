import type { EndReason } from '../events/agent-events.ts';

/** Why a runner ended an agent, in a few words. */
export const endReasonText: Readonly<Record<EndReason, string>> = {
  finished: 'ended after its task was done',
  stopped: 'stopped',
  unconnected: 'ended since it did not connect to Clifford',
  stalled: 'ended since it gave no sign of life',
  hung: 'ended since it did not exit after its turn',
  overtime: 'ended since its time was up',
  limited: 'its provider refused more',
  overspent: 'ended since a budget was used up',
};
