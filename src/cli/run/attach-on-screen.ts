import { taskOf } from '../../events/envelope.ts';
import { createAgentOutput } from '../../tui/text/agent-output.ts';
import { showSprint } from '../../tui/screen/show-sprint.tsx';
import type { LeftBecause, ShowSprintOptions } from '../../tui/screen/show-sprint-options.ts';
import type { Project } from '../../workflow/project/project.ts';
import { followTranscripts } from '../../workflow/transcripts/follow-transcripts.ts';
import type { Cli } from '../cli.ts';
import { callingHuman, watchKeys } from './notify-human.ts';
import { aboutRun } from './about-run.ts';
import { earlierAttempts } from './earlier-attempts.ts';
import { openEditor } from '../../lib/processes/open-editor.ts';
import { editOnScreen } from '../requests/edit-on-screen.ts';
import { offersIn, partsIn } from '../requests/offers.ts';
import { commandsIn } from './run-own-command.ts';
import { endLeftAgents } from '../project/end-left-agents.ts';
import { typedAnywhere } from '../project/typed-line.ts';
import { startsWhat } from './starts-what.ts';
import { reveal } from '../requests/reveal.ts';
import { agentRun, decider } from '../../workflow/project/require-human.ts';

/** Shows a sprint that someone else runs, until the person leaves: with `start` for a run of it, which is the caller's. */
export async function attachOnScreen(
  cli: Cli,
  project: Project,
  stream: string,
  from: Pick<
    ShowSprintOptions,
    'question' | 'isBelow' | 'among' | 'look' | 'notice' | 'startsAt' | 'startsRuns' | 'onGo'
  > = {},
): Promise<LeftBecause> {
  const output = createAgentOutput({ earlier: earlierAttempts(project, stream, { followed: true }) });
  const following = followTranscripts(project, stream, output.append, (event) => {
    const task = taskOf(event.subject);
    if (task !== undefined && event.data.attempt > 1) output.note(task, aboutRun(event));
  });
  const { onKey, lastKeyAt } = watchKeys(project.dir);
  try {
    return await callingHuman(cli, { project, stream, lastKeyAt }, ({ onAway }) =>
      showSprint({
        stdin: cli.stdin,
        stdout: cli.stdout,
        project,
        stream,
        owner: false,
        ...from,
        mayApprove: agentRun(cli, project) === undefined,
        reveal,
        typedLine: (...words) => typedAnywhere(cli, project.root, ...words),
        runCommand: commandsIn(cli, project),
        edit: editOnScreen(cli, project),
        openEditor: (draft) => openEditor(cli.env, draft),
        offersFor: offersIn(cli, project),
        partsOf: partsIn(cli, project),
        endLeftAgents: ({ taskId }) => endLeftAgents(project, { stream, taskId, by: 'the screen' }),
        startsWhat: () => startsWhat(cli, project, stream),
        onKey,
        onAway,
        by: decider(cli, project),
        output,
        onStop: () => Promise.resolve(),
      }),
    );
  } finally {
    following.stop();
  }
}
