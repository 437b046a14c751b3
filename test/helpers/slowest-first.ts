import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files that wait longest, for limits, terminals and programs: one that begins last is waited for by itself. */
const slowest = [
  'tui/pty/every-key-pressed',
  'e2e/cli/doctor-approvals',
  'tui/screen/show-sprint',
  'e2e/demo-terminal',
  'runner/supervision',
  'e2e/gateway/newest-revision',
  'e2e/runner/parked',
  'cli/run/unasked',
  'runner/acp/ways',
  'e2e/cli/doctor',
  'e2e/gateway/failures',
  'cli/run/run-plain',
  'runner/editor/lifecycle',
  'e2e/cli/who-calls',
  'runner/limits',
  'cli/odd-files',
  'workflow/commit/commit-task',
  'runner/run-sprint',
  'e2e/late-guidance',
];

/** Begins with the slowest, as Vitest does where it has run before: by itself it begins with the largest. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = slowest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? slowest.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}
