import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files that wait longest, for limits, terminals and programs: one that begins last is waited for by itself. */
const slowest = [
  'tui/pty/every-key-pressed',
  'e2e/cli/doctor-approvals',
  'runner/supervision',
  'e2e/demo-terminal',
  'e2e/gateway/newest-revision',
  'e2e/runner/parked',
  'runner/parallel/merge',
  'runner/editor/lifecycle',
  'e2e/cli/doctor',
  'e2e/gateway/failures',
  'e2e/cli/who-calls',
  'tui/screen/show-sprint',
  'runner/prompts/prompt-requests',
  'lib/text/repeated-text',
  'web/server/callers/who-sends',
  'events/jetstream/queue',
  'cli/run/unasked',
  'web/server/live',
  'runner/limits',
  'mcp/verify',
  'workflow/commit/commit-task',
  'runner/run-sprint',
  'notify/remote/services',
  'events/jetstream/outages',
  'runner/acp/turns',
  'tui/screen/leaving-anywhere',
  'events/jetstream/contract',
  'tui/monkey/monkey',
  'gateway/server/failures',
  'gateway/session/servers',
  'gateway/call/approvals',
  'notify/remote/telegram',
  'web/server/guards',
  'cli/main',
  'gateway/policy/shell/read-command',
  'gateway/server/processes',
  'events/jsonl/torn-tail',
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
