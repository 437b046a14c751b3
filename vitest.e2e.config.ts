import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';
import { wholePrograms } from './test/helpers/whole-programs.ts';

export default defineConfig({
  ...config,
  test: { ...config.test, include: wholePrograms, exclude: ['**/node_modules/**'] },
});
