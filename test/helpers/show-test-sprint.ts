import { editOnScreen } from '../../src/cli/requests/edit-on-screen.ts';
import { openEditor } from '../../src/lib/processes/open-editor.ts';
import { commandParts } from '../../src/gateway/permission/command-parts.ts';
import { HeldPolicy } from '../../src/gateway/permission/held-policy.ts';
import { offersFor } from '../../src/gateway/backtest/offers-for.ts';
import { showSprint } from '../../src/tui/screen/show-sprint.tsx';
import type { LeftBecause, ShowSprintOptions } from '../../src/tui/screen/show-sprint-options.ts';
import { createAgentOutput, type AgentOutput } from '../../src/tui/text/agent-output.ts';
import type { Project } from '../../src/workflow/project/project.ts';

/** Shows a sprint to a person called Ada, whose agent wrote this, with all that cards offer. */
export function showTestSprint(
  project: Project,
  {
    output: text,
    live: output = createAgentOutput(),
    openEditor: edited = (draft) => openEditor(process.env, draft),
    edit = editOnScreen({ env: {} }, project),
    onStop = () => Promise.resolve(),
    ...options
  }: Pick<ShowSprintOptions, 'stream' | 'owner' | 'ended' | 'openEditor' | 'stdin' | 'stdout'> &
    Partial<
      Pick<
        ShowSprintOptions,
        | 'edit'
        | 'onStop'
        | 'onKill'
        | 'graceMs'
        | 'runAgain'
        | 'look'
        | 'isBelow'
        | 'startsRuns'
        | 'runCommand'
      >
    > & {
      readonly output?: string;
      /** Where its agent writes on. */
      readonly live?: AgentOutput;
    },
): Promise<LeftBecause> {
  const policy = new HeldPolicy({ root: project.root, env: {} });
  if (text !== undefined) output.append('parser', text);
  return showSprint({
    ...options,
    project,
    by: 'ada',
    output,
    reveal: () => Promise.resolve(undefined),
    edit,
    openEditor: edited,
    partsOf: (waiting) => commandParts(project, waiting, policy),
    offersFor: (waiting) => offersFor(project, waiting, {}),
    onStop,
  });
}
