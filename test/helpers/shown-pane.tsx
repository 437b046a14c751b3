import { render } from 'ink';
import { onTestFinished } from 'vitest';
import { paneOf } from '../../src/tui/panes/all-panes.ts';
import type { PaneContent, PaneSource } from '../../src/tui/panes/pane.ts';
import { placeKey, shownTask } from '../../src/tui/screen/browsing.ts';
import { ClockContext } from '../../src/tui/terminal/clock.ts';
import { Screen } from '../../src/tui/screen/screen.tsx';
import { startScreenActor } from '../../src/tui/screen/screen-actor.ts';
import { initialState } from '../../src/tui/screen/screen-state.ts';
import { createAgentOutput, type AgentOutput } from '../../src/tui/text/agent-output.ts';
import type { Approval } from '../../src/events/approval.ts';
import type { StoredEvent } from '../../src/events/envelope.ts';
import type { RecordedAnswer } from '../../src/machines/project-state.ts';
import { FakeStdin, FakeStdout } from './fake-terminal.ts';
import { aSprint, now } from './screen-views.ts';

type Around = {
  readonly goneRun?: string;
  readonly answer?: Pick<RecordedAnswer, 'verdict' | 'edited'>;
  /** Where the task is worked on now. */
  readonly worktree?: string;
  readonly past?: PaneSource['past'];
};

/** What a pane shows of the task `parser`, read from these events, while a human is asked about these calls. `goneRun`: of an agent that is gone. */
export async function contentFrom(
  pane: string,
  events: readonly StoredEvent[],
  asked: readonly Partial<Approval>[] = [],
  { goneRun, answer, worktree, past }: Around = {},
): Promise<PaneContent> {
  const phase = answer ? 'answered' : 'open';
  const requests = new Map(asked.map((approval, at) => [`q-${at}`, { phase, asked: { approval }, answer }]));
  const tasks = new Map([
    [
      'parser',
      { agent: { runId: goneRun }, ...(worktree !== undefined && { worktree: { path: worktree } }) },
    ],
  ]);
  const project = { root: '/nowhere', state: { streams: new Map([['sprint-13', { requests, tasks }]]) } };
  const gone = new Set(goneRun === undefined ? [] : ['parser']);
  const source = {
    project,
    stream: 'sprint-13',
    gone,
    past,
    events: { read: () => Promise.resolve(events) },
  };
  const content = await paneOf(pane).load?.(source as unknown as PaneSource, 'parser');
  if (!content) throw new Error(`${pane} reads nothing`);
  return content;
}

/** A screen on a terminal of this size with keys in a pane that shows this. */
export function showPane(
  pane: string,
  content: PaneContent,
  [columns, rows]: [number, number],
  output: AgentOutput = createAgentOutput(),
) {
  const stdout = new FakeStdout(columns, rows);
  const stdin = new FakeStdin();
  const state = initialState({ isOwner: true, sprint: aSprint() });
  const key = placeKey(pane, shownTask(state));
  const browsing = {
    ...state.browsing,
    pane,
    area: 'detail',
    content: { key, version: '7', content },
  } as const;
  const { unmount } = render(
    <ClockContext value={{ now: () => now, subscribe: () => () => {} }}>
      <Screen actor={startScreenActor({ ...state, browsing })} output={output} />
    </ClockContext>,
    { stdin, stdout, debug: true, exitOnCtrlC: false, patchConsole: false },
  );
  onTestFinished(() => unmount());
  return { lines: () => stdout.lines, press: (bytes: string) => stdin.write(bytes) };
}
