import type { FactPlace } from '../../../src/runner/output/signal-facts.ts';

/** A call of an agent's own tool as it is recorded, where a test does not look at it. */
export const ownCall: FactPlace['ownCall'] = (callId, { kind }) => ({
  callId,
  server: '@agent',
  tool: kind,
  args: {},
  argsDigest: 'digest',
});
