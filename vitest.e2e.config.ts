import { defineConfig } from 'vitest/config';
import config, { globalSetup } from './vitest.config.ts';
import { wholePrograms } from './test/helpers/whole-programs.ts';

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    globalSetup: [...globalSetup, 'test/helpers/needs-chromium.ts'],
    include: wholePrograms,
    exclude: ['**/node_modules/**'],
    // Whole programs, five at a time: some take half a minute on a machine that does nothing else, three times that here.
    testTimeout: 3 * 60_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
