import { randomUUID } from 'node:crypto';
import { beforeEach, describe, vi } from 'vitest';
import { describeWithNats } from './nats-server.ts';

/**
 * Runs tests of whole programs with the log in the file, and once more with it on a server, each with one of its own: what
 * they start is told by `CLIFFORD_LOG`.
 */
export function describeOnEachEngine(name: string, tests: () => void): void {
  describe(`${name}, with the log in the file`, () => {
    tests();
  });
  describeWithNats(`${name}, with the log on a server`, (server) => {
    beforeEach(() => {
      vi.stubEnv('CLIFFORD_LOG', `nats://${server.address}/${randomUUID()}`);
    });
    tests();
  });
}
