import { streamOf, taskOf, type StoredEvent } from '../../events/envelope.ts';
import { commandName } from '../../lib/text/command-name.ts';
import type { EarlierOutput } from '../../tui/text/agent-output.ts';
import { attemptHeading } from '../../views/sprints/attempt-heading.ts';
import type { Project } from '../../workflow/project/project.ts';
import { CastTail } from '../../workflow/transcripts/cast-tail.ts';
import { namedTranscript } from '../../workflow/transcripts/transcript-files.ts';

/** As much of what one run wrote is shown, in bytes of its transcript. */
const BACKLOG_BYTES = 65_536;

/** Runs of a task whose output is shown, the last ones. */
const MOST_RUNS = 8;

type Started = StoredEvent<'agent.started'>;

/**
 * What agents wrote on the tasks of a stream before now, in transcripts that are there. A transcript is read when its task is
 * asked for.
 *
 * @param followed - Whether the last run of each task is shown by whoever follows its transcript: of it, only when it began.
 */
export async function earlierAttempts(
  { state, log, dir }: Project,
  stream: string,
  { followed }: { readonly followed: boolean },
): Promise<(task: string) => readonly EarlierOutput[]> {
  // Later ones are shown as they go on.
  const until = state.streams.get(stream)?.version ?? 0;
  const runs = new Map<string, Started[]>();
  for await (const { events } of log.select({ stream })) {
    for (const event of events) {
      if (event.type !== 'agent.started' || event.streamversion > until) continue;
      const task = taskOf(event.subject) ?? streamOf(event.subject);
      runs.set(task, [...(runs.get(task) ?? []), event as Started].slice(-MOST_RUNS));
    }
  }
  return (task) => {
    const ofTask = runs.get(task) ?? [];
    return ofTask.map((event, at) => {
      const path = namedTranscript(dir, event.data.transcript);
      const isShown = followed && at === ofTask.length - 1;
      const text = path === undefined || isShown ? '' : new CastTail(path, BACKLOG_BYTES).read();
      return { about: aboutRun(event), text };
    });
  };
}

/** The same of a run that the log tells of. */
export function aboutRun({ time, data: { attempt, agent, argv } }: Started): string {
  return attemptHeading({ attempt, agent: agent ?? commandName(argv), at: time });
}
