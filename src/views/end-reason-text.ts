import type { EndReason } from '../events/agent-events.ts';

/** Why a runner ended an agent, in a few words. */
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
