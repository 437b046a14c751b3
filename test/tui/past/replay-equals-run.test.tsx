import { render } from 'ink';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Transcript } from '../../../src/runner/output/transcript.ts';
import { taskOf, type StoredEvent } from '../../../src/events/envelope.ts';
import { secretsOf } from '../../../src/events/secrets/redaction.ts';
import { allPanes } from '../../../src/tui/panes/all-panes.ts';
import { TimeTravel } from '../../../src/tui/past/time-travel.ts';
import { Timed } from '../../../src/tui/past/timed.tsx';
import { ClockContext, RunnerContext } from '../../../src/tui/terminal/clock.ts';
import { ReadPaneContext, type ReadPane } from '../../../src/tui/feed/use-beside.ts';
import { feedScreen } from '../../../src/tui/feed/feed-screen.ts';
import { loadPanes } from '../../../src/tui/feed/load-panes.ts';
import { startScreenActor, type ScreenActor } from '../../../src/tui/screen/screen-actor.ts';
import { initialState, type ScreenState } from '../../../src/tui/screen/screen-state.ts';
import { Screen } from '../../../src/tui/screen/screen.tsx';
import { createAgentOutput } from '../../../src/tui/text/agent-output.ts';
import { LineNumbers } from '../../../src/tui/text/line-numbers.ts';
import { attemptHeading } from '../../../src/views/sprints/attempt-heading.ts';
import { describeScreen } from '../../../src/views/sprints/sprint-view.ts';
import { RecentEvents } from '../../../src/workflow/history/recent-events.ts';
import { TracksOfNow } from '../../../src/workflow/history/task-tracks.ts';
import { PastOutput } from '../../../src/workflow/transcripts/past-output.ts';
import { FakeStdin, FakeStdout } from '../../helpers/fake-terminal.ts';
import { propertyRuns } from '../../helpers/property-runs.ts';
import { made, recorded, stream } from './played-runs.ts';

/** Each task at the version of its commit: what it had changed before is there of now alone. */
type Commits = ReadonlyMap<string, number>;

/** The tasks and panes that are drawn at a version: all of them, or some at each, and all in the course of a run. */
function shownAt(
  version: number,
  tasks: readonly string[],
  commits: Commits,
): (readonly [task: string, pane: string])[] {
  const all = tasks.flatMap((task) => allPanes.map(({ id }) => [task, id] as const));
  const isWhole = propertyRuns(4) === 4;
  return all.filter(([task, pane], at) => {
    if (pane === 'changes') return version >= (commits.get(task) ?? Infinity);
    return isWhole || (task === tasks[0] && pane === 'output') || at === version % all.length;
  });
}

/** Draws one state of a screen after the other on a terminal of this size. */
function easel([columns, rows]: [number, number], output = createAgentOutput()) {
  const stdout = new FakeStdout(columns, rows);
  const instance = render(null, {
    stdin: new FakeStdin(),
    stdout,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  onTestFinished(() => instance.unmount());
  return async (actor: ScreenActor, now: number, read?: ReadPane) => {
    instance.rerender(
      <ClockContext key={actor.id} value={{ now: () => now, subscribe: () => () => {} }}>
        <RunnerContext value={() => true}>
          <ReadPaneContext value={read}>
            <Timed actor={actor}>
              <Screen actor={actor} output={output} />
            </Timed>
          </ReadPaneContext>
        </RunnerContext>
      </ClockContext>,
    );
    await instance.waitUntilRenderFlush();
    return () => stdout.lines;
  };
}

/** The rows of a wide frame that say what has happened in the sprint. */
function eventsIn(frame: readonly string[]): string[] {
  const from = frame.findIndex((row) => row.startsWith('── Events of the sprint'));
  const below = from === -1 ? [] : frame.slice(from + 1);
  const end = below.findIndex((row) => row.startsWith('──'));
  return below
    .slice(0, end)
    .map((row) => row.split('│')[0] ?? '')
    .filter((row) => row.trim() !== '');
}

/** How many events these rows show: one may go on in a second row, deeper than where the first, which is of no task, has its title. */
function countOf(rows: readonly string[]): number {
  const title = /^[\d: ]+/.exec(rows[0] ?? '')?.[0].length ?? 0;
  return rows.filter((row) => row.length - row.trimStart().length <= title).length;
}

/** Rows without what stands above the text of a task in the past, and the empty row behind it: the pane goes on in their place. */
function withoutRemark(rows: readonly string[]): string[] {
  const said = rows.findIndex((row) => row.endsWith('recorded'));
  // It was not planned yet.
  if (said === -1) return [...rows];
  const edgeOf = (row: string) => row.search(/[│┤]/) + 1;
  return rows.map((row, at) => {
    const next = rows[at + said + 2] ?? '';
    return row.slice(0, edgeOf(row)) + next.slice(edgeOf(next));
  });
}

/**
 * The parts of a frame that both drivers draw. Left out are, of the header, how long ago the last event was, and what it
 * leaves room for, and the ground of what waits, in place of which the past has a word; all below the panes, which is a box for an
 * answer now, and in the past what became of it, the bar and its keys; and empty rows of the panes, of which a box leaves less.
 */
function partsOf(frame: readonly string[], { hasRemark = false } = {}) {
  const end = frame.findIndex((row, at) => at > 1 && /^[─━]{2}/.test(row) && !row.includes('┤'));
  const [header = '', rule = '', ...body] = frame.slice(0, end);
  const panes = hasRemark ? withoutRemark(body) : body;
  const isFull = (row: string) => row.replaceAll('│', '').trim() !== '';
  return [
    header
      .replace(/ *[━─╍]+ */, '  ')
      .replace(/^(.*) {2,}(\d[\w, ]*) waited .*$/, '$1   ? $2')
      .replace(/ done.*?( \? .*?)?(last event .*)?$/, ' done$1')
      .trimEnd(),
    rule.replaceAll('━', '─'),
    ...panes.slice(0, panes.findLastIndex(isFull) + 1),
  ];
}

const runs = [
  ['with a denied call, a failed attempt and a skipped task', made],
  ['that was recorded of the demo', recorded],
] as const;

it.each(runs.slice(0, propertyRuns(runs.length)))(
  'replay of a run %s shows at each event what the run showed then, of each task in each pane',
  { timeout: 300_000 },
  async (_what, play) => {
    const { project, tasks, steps } = await play();
    const output = createAgentOutput();
    const source = {
      project,
      stream,
      events: new RecentEvents(project, stream),
      tracks: new TracksOfNow(project.log, stream),
      output: new PastOutput(project.dir),
      numbers: new LineNumbers(),
    };
    onTestFinished(() => source.events.close());
    const fail = (error: unknown) => expect.fail(String(error));
    const live = startScreenActor(
      initialState({ isOwner: true, sprint: describeScreen(project.state, stream) }),
    );
    const feed = feedScreen({
      project,
      stream,
      output,
      first: live.getSnapshot().context.sprint,
      send: (event) => live.send(event),
    });
    onTestFinished(() => feed.stop());
    const drawLive = easel([110, 70], output);
    const drawPast = easel([110, 70]);
    const drawWide = easel([200, 100]);

    const past = startScreenActor(live.getSnapshot().context);
    const time = new TimeTravel({ actor: past, project, stream, copy: () => undefined, fail });
    onTestFinished(() => time.close());

    /** The frame of this state, with this task in this pane, once that has been read. */
    const frameOf = async (
      state: ScreenState,
      task: string,
      pane: string,
      now: number,
    ): Promise<readonly string[]> => {
      const browsing = { ...state.browsing, task, pane, content: undefined, loading: undefined };
      const actor = startScreenActor({ ...state, browsing });
      const isPast = state.past !== undefined;
      const loader = loadPanes(actor, {
        source,
        cursor: () => (isPast ? time.cursor : undefined),
        moment: () => (isPast ? time.moment : undefined),
        fail,
      });
      actor.send({ type: 'offered', offers: new Map() });
      await vi.waitFor(() => expect(actor.getSnapshot().context.browsing.loading).toBeUndefined(), {
        interval: 1,
      });
      const frame = await (isPast ? drawPast : drawLive)(actor, now);
      loader.stop();
      return partsOf(frame(), { hasRemark: isPast && pane === 'task' });
    };
    /** What the left column says has happened by then, once that has been read. */
    const eventsOf = async (state: ScreenState, now: number) => {
      const actor = startScreenActor(state);
      const isPast = state.past !== undefined;
      const loader = loadPanes(actor, {
        source,
        cursor: () => (isPast ? time.cursor : undefined),
        moment: () => (isPast ? time.moment : undefined),
        fail,
      });
      const frame = await drawWide(actor, now, loader.read);
      const { version } = state.past?.moment ?? state.sprint;
      await vi.waitFor(() => expect(countOf(eventsIn(frame()))).toBe(version), { interval: 1 });
      loader.stop();
      return eventsIn(frame());
    };
    const commits = new Map<string, number>();
    const framesOf = async (
      state: ScreenState,
      { streamversion, time: at }: Pick<StoredEvent, 'streamversion' | 'time'>,
    ) => {
      const frames: Record<string, readonly string[]> = { events: await eventsOf(state, Date.parse(at)) };
      for (const [task, pane] of shownAt(streamversion, tasks, commits))
        frames[`${task} ${pane}`] = await frameOf(state, task, pane, Date.parse(at));
      return frames;
    };

    const seen: { readonly event: StoredEvent; readonly frames: object }[] = [];
    let attempt: { readonly task: string; readonly transcript: Transcript } | undefined;
    for (const each of steps) {
      if ('writes' in each) {
        if (!attempt) throw new Error('nobody is at work');
        attempt.transcript.append('stdout', each.writes);
        output.append(attempt.task, each.writes);
        continue;
      }
      const event = await each.record(project);
      if (event.type === 'task.committed') commits.set(taskOf(event.subject) ?? '', event.streamversion);
      if (event.type === 'task.started') attempt?.transcript.close();
      if (event.type === 'task.started') attempt = begin(project.dir, event, output.note);
      attempt?.transcript.mark(event);
      feed.flush();
      seen.push({ event, frames: await framesOf(live.getSnapshot().context, event) });
    }
    attempt?.transcript.close();

    expect(seen).toHaveLength(steps.filter((each) => 'record' in each).length);
    for (const { event, frames } of seen) {
      const { streamversion: version, type } = event;
      await time.go({ to: 'place', text: String(version) });
      const replayed = await framesOf(past.getSnapshot().context, event);
      expect({ version, type, frames: replayed }).toEqual({ version, type, frames });
    }
  },
);

/** The transcript of an attempt, and what a run says of it. */
function begin(
  dir: string,
  { type, subject, data, time }: StoredEvent,
  note: (task: string, text: string) => void,
): { readonly task: string; readonly transcript: Transcript } | undefined {
  const task = taskOf(subject);
  if (type !== 'task.started' || data.runId === undefined || task === undefined) return undefined;
  const { attempt, runId } = data;
  if (attempt > 1) note(task, attemptHeading({ attempt, agent: 'opencode', at: time }));
  const onEnd = (text: string) => expect.fail(text);
  return { task, transcript: new Transcript({ dir, runId, title: task, secrets: secretsOf({}), onEnd }) };
}
