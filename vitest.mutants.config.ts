import { mergeConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import config from './vitest.config.ts';

/** The order in which scripts/mutate.ts names the files: nearest first. Vitest's own begins with the longest. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      process.argv.findIndex((each) => each !== '' && moduleId.endsWith(each));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

export default mergeConfig(config, {
  test: { bail: 1, maxWorkers: 1, sequence: { sequencer: AsNamed } },
});
