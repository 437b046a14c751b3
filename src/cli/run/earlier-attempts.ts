import type { RunsOutput } from '../../tui/text/write-runs.ts';
import { TaskTracks } from '../../workflow/history/task-tracks.ts';
import type { Project } from '../../workflow/project/project.ts';
import { BACKLOG_BYTES, CastTail } from '../../workflow/transcripts/cast-tail.ts';
import { namedTranscript } from '../../workflow/transcripts/transcript-files.ts';

/**
 * What agents wrote on the tasks of a stream before now, in transcripts that are there. A transcript is read when its task is
 * asked for.
 *
 * @param followed - Whether the run of each task that goes on is shown by whoever follows its transcript from now on: of it, only
 *   when it began, and whether what it wrote before is left out there.
 */
export async function earlierAttempts(
  { state, log, dir }: Project,
  stream: string,
  { followed }: { readonly followed: boolean },
): Promise<(task: string) => RunsOutput> {
  const sprint = state.streams.get(stream);
  // Later ones are shown as they go on.
  const until = sprint?.version ?? 0;
  const read = (transcript: string | undefined) => {
    const path = namedTranscript(dir, transcript);
    if (path === undefined) return { text: '', isCut: false };
    const tail = new CastTail(path, BACKLOG_BYTES);
    return { text: tail.read(), isCut: tail.isCut };
  };
  const goOn = new Map<string, boolean>();
  for (const { agent } of (followed ? sprint?.tasks.values() : undefined) ?? [])
    if (agent) goOn.set(agent.runId, read(agent.transcript).isCut);
  const tracks = new TaskTracks();
  for await (const { events } of log.select({ stream }))
    for (const event of events) if (event.streamversion <= until) tracks.take(event);
  return (task) => {
    const { runs, left } = tracks.lastRuns(task, until);
    return {
      left,
      runs: runs.map((run) => {
        const isCut = goOn.get(run.runId);
        return { ...run, ...(isCut === undefined ? read(run.transcript) : { text: '', isCut }) };
      }),
    };
  };
}
