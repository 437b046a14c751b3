import { afterAll, vi } from 'vitest';

/**
 * What the last test of a file has stubbed is not there while the next file is loaded in the same process: `unstubEnvs`
 * puts the environment back before each test, not behind the last.
 */
afterAll(() => {
  vi.unstubAllEnvs();
});
