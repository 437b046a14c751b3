import type { Approval } from '../../src/events/approval.ts';

/** A call of a tool that writes a file. */
export const approval: Approval = {
  callId: 'call-1',
  server: 'fs',
  tool: 'write_file',
  args: { path: 'notes.txt', content: 'hello' },
  callDigest: 'call-digest',
  definitionDigest: 'definition-1',
  rule: 'default',
  trust: 'untrusted',
};
