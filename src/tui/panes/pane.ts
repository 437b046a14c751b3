import type { Project } from '../../workflow/project/project.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { RecentEvents } from '../../workflow/history/recent-events.ts';
import type { TracksOfNow } from '../../workflow/history/task-tracks.ts';
import type { PastOutput } from '../../workflow/transcripts/past-output.ts';
import type { LineNumbers } from '../text/line-numbers.ts';
import type { SpanLine } from '../text/spans.ts';

/** A line of a pane. */
export type PaneLine = {
  /** Its number: it stays what it is when other lines come and go. The lines of a pane are in its order. */
  readonly at: number;
  readonly line: SpanLine;
  /** When it was, which is the first span of its line: right below one of the same time it is left out. */
  readonly time?: string;
  /** What Enter shows of it, in place of the list, in a pane of this width, in cells. */
  readonly whole?: (width: number) => readonly SpanLine[];
  /** It says what the lines of a list below it are: the cursor does not go there. */
  readonly isHeading?: boolean;
  /** What a text is about: it is in sight until somebody moves. */
  readonly isCurrent?: boolean;
};

/** Stands above all lines of a list. */
export function headingLine(text: string): PaneLine {
  return { at: 0, line: { spans: [{ text, style: 'dim' }] }, isHeading: true };
}

/** What a pane shows of a task. */
export type PaneContent = {
  /** Its lines, for a pane of this width, in cells. */
  readonly lines: (width: number) => readonly PaneLine[];
  /** Stands there when there are none. */
  readonly empty: string;
  /** The last agent of the task had written nothing by then. */
  readonly isSilent?: boolean;
};

/** Where panes have what they show from. */
export type PaneSource = {
  readonly project: Project;
  readonly stream: string;
  /** The newest events of the stream, until the moment that is shown: so many at most. */
  readonly events: Pick<RecentEvents, 'read'>;
  /** Where its tasks went, and who worked on them: those of now included. */
  readonly tracks: Pick<TracksOfNow, 'read'>;
  readonly output: Pick<PastOutput, 'until'>;
  /** Of lines whose order may change from one reading to the next. */
  readonly numbers: LineNumbers;
  /** Tasks whose agent is gone, which no event says; none in the past. */
  readonly gone: ReadonlySet<string>;
  /** The moment of the past that is shown, and the sprint as it was then. `undefined`: it is now. */
  readonly past: { readonly version: number; readonly sprint: SprintState | undefined } | undefined;
};

/** The sprint as it stands, or stood at the moment that is shown. */
export function sprintShown({
  project,
  stream,
  past,
}: Pick<PaneSource, 'project' | 'stream' | 'past'>): SprintState | undefined {
  return past ? past.sprint : project.state.streams.get(stream);
}

/** What a pane shows of a task that the sprint did not have by then. */
export const notPlanned: PaneContent = { lines: () => [], empty: 'It was not planned yet' };

/**
 * How keys move in a pane: in a `text` row by row from its beginning; a `log` is read from its end, and follows what
 * comes; in a `list` a cursor goes from line to line, and Enter shows the line whole. In a `history` that is so, too, and
 * it begins at the end, and follows what comes.
 */
export type PaneKind = 'text' | 'log' | 'list' | 'history';

/** Whether a cursor goes from line to line. */
export function hasCursor(kind: PaneKind): boolean {
  return kind === 'list' || kind === 'history';
}

/** Whether the end is what is shown, until it is left. */
export function followsEnd(kind: PaneKind): boolean {
  return kind === 'log' || kind === 'history';
}

/** One of the panes beside the list of tasks. It says all there is to say about it: adding one touches the list of panes, and nothing else. */
export type Pane = {
  readonly id: string;
  /** Its tab. */
  readonly title: string;
  /** A short word for it, for where there is no room for more: its first three letters have to say what it is. */
  readonly short: string;
  /** What it shows, as the help says it. */
  readonly about: string;
  readonly kind: PaneKind;
  /** What it shows of now is what agents write, which the screen has: it is read of the past only. */
  readonly isLive?: boolean;
  /**
   * Reads what it shows of a task.
   *
   * @throws {CliffordError} which is shown in its place
   */
  readonly load: (source: PaneSource, task: string) => Promise<PaneContent>;
  /**
   * What makes that old: the next event of the sprint; `files`: another text in a file that a call would change, too, and an agent that is gone; `work`:
   * whatever an agent does.
   */
  readonly follows?: 'events' | 'files' | 'work';
};
