import { CliffordError } from '../errors.ts';

/** Serves Clifford's tools over stdio until the client leaves. */
export function serve(): Promise<void> {
  throw new CliffordError('Cannot serve tools: this version has none', {
    code: 'MCP_NO_TOOLS',
    fix: 'Use a newer Clifford',
    recovery: 'give-up',
  });
}
