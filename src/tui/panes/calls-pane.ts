import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { isAll } from '../../workflow/history/recent-events.ts';
import { asksForWords, OWN_SERVER } from '../../workflow/project/own-tools.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { callChanges, changedPaths } from '../../views/calls/call-changes.ts';
import { argsText } from '../../views/calls/args-text.ts';
import { changeWords } from '../../views/changes/change-size.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { withinProject } from '../../views/calls/within-project.ts';
import { callFacts, toolName } from '../../views/calls/call-facts.ts';
import { noCallsText, taskCalls, type CallStanding, type TaskCall } from '../../views/calls/task-calls.ts';
import type { Project } from '../../workflow/project/project.ts';
import { filesNow, type FilesNow } from '../../workflow/requests/files-now.ts';
import { changedLines, changeSize, textsShown } from '../text/change-lines.ts';
import { forWidths, timeIn, type LineWidth } from '../text/line-widths.ts';
import { jsonLines } from '../text/json-lines.ts';
import type { Span, SpanLine } from '../text/spans.ts';
import { earlierEvents } from './earlier-events.ts';
import { sprintShown, type Pane, type PaneLine } from './pane.ts';

/** The calls of tools that the agents of a task made, and who decided on them. */
export const callsPane: Pane = {
  id: 'calls',
  title: 'Calls',
  short: 'Call',
  about: 'the tools that were called, with what, and who allowed it',
  kind: 'history',
  follows: 'files',
  load: async (source, task) => {
    const { events, project, stream, past, gone } = source;
    const all = await events.read();
    const sprint = sprintShown(source);
    const folder = workFolder(project, sprint?.tasks.get(task));
    const calls = taskCalls(all, {
      task,
      sprint,
      isAgentGone: gone.has(task),
      asksForWords,
    });
    const files = await filesOfOpen(past ? [] : calls, project, { stream, task });
    const earlier = calls.length > 0 ? earlierEvents(all, stream) : [];
    const lines = forWidths((width) => {
      const cells = cellsFor(calls, width);
      return [
        ...earlier,
        ...calls.map((call) => callLine(call, cells, { width, folder, files: files.get(call.callId) })),
      ];
    });
    return { lines, empty: noCallsText(isAll(all)) };
  },
};

const looks = {
  runs: { mark: '●', style: 'name' },
  waits: { mark: '○', style: 'plain' },
  asks: { mark: '?', style: 'warning' },
  done: { mark: '✔', style: 'text' },
  failed: { mark: '✗', style: 'removed' },
  denied: { mark: '✗', style: 'warning' },
  queried: { mark: '?', style: 'warning' },
  changed: { mark: '✔', style: 'dim' },
  late: { mark: '✗', style: 'warning' },
  unasked: { mark: '!', style: 'warning' },
  ended: { mark: '✗', style: 'warning' },
} as const satisfies Record<CallStanding, { mark: string; style: Span['style'] }>;

const WORD_WIDTH = Math.max(...Object.keys(looks).map((word) => word.length));

/** Cells of the column of names, at most. */
const WIDEST_NAME = { wide: 26, middle: 20, narrow: 20 };

type CallCells = { readonly word: number; readonly name: number };

/** Where there is less room a mark says by itself that a call is done: what was called, and with what, is worth more. */
function cellsFor(calls: readonly TaskCall[], width: LineWidth): CallCells {
  const names = calls.map((call) => cellsOf(nameIn(width, call)));
  const name = Math.min(WIDEST_NAME[width], Math.max(0, ...names));
  if (width === 'wide') return { word: WORD_WIDTH, name };
  const said = calls.filter(({ is }) => width === 'middle' && is !== 'done');
  return { word: Math.max(0, ...said.map(({ standing }) => standing.length)), name };
}

/** What stands in the files of calls that have not run yet: what stood there before one that has, nobody knows. */
async function filesOfOpen(
  calls: readonly TaskCall[],
  project: Project,
  { stream, task }: { readonly stream: string; readonly task: string },
): Promise<ReadonlyMap<string, FilesNow>> {
  const files = new Map<string, FilesNow>();
  for (const { callId, args, agent } of calls.filter(
    ({ is, standing }) => is === 'open' && standing !== 'ended',
  )) {
    const paths = changedPaths(filesInCall(args));
    if (paths.length === 0) continue;
    files.set(callId, await filesNow(project, { stream, task, isOwn: agent !== undefined }, paths));
  }
  return files;
}

type CallLook = {
  /** What stands in its files now. */
  readonly files: FilesNow | undefined;
  /** Where its agent works. */
  readonly folder: string;
};

function callLine(
  call: TaskCall,
  cells: CallCells,
  { width, ...look }: CallLook & { readonly width: LineWidth },
): PaneLine {
  const { mark, style } = looks[call.standing];
  const name = nameIn(width, call);
  const blanks = ' '.repeat(Math.max(0, cells.name - cellsOf(name)) + 1);
  const said = width === 'wide' || call.is !== 'done' ? call.standing : '';
  return {
    at: call.version,
    line: {
      spans: [
        { text: timeIn(width, call.at), style: 'dim' },
        { text: cells.word === 0 ? `${mark} ` : `${mark} ${said.padEnd(cells.word)} `, style },
        { text: name + blanks, style: 'name' },
        { text: escapeAgentLine(call.title ?? argsText(call.ranWith ?? call.args)), style: 'plain' },
      ],
    },
    whole: (wide) => wholeCall(call, { width: wide, ...look }),
  };
}

/** Of Clifford's own tools without the server, where there is less room. */
function nameIn(width: LineWidth, call: TaskCall): string {
  return escapeAgentLine(call.server === OWN_SERVER && width !== 'wide' ? call.tool : toolName(call));
}

function wholeCall(
  call: TaskCall,
  { width, files, folder }: CallLook & { readonly width: number },
): SpanLine[] {
  const { args, ranWith } = call;
  const inCall = filesInCall(ranWith ?? args);
  const changes = callChanges(inCall, files);
  const nameOf = (path: string) => (call.agent === undefined ? path : withinProject(folder, path));
  return [
    ...callFacts(call).map(({ label, text }) => labelled(label, text)),
    ...changes.flatMap((change) => [
      labelled(changeWords[change.how], nameOf(change.path) + changeSize(change)),
      ...changedLines(change, { width }),
    ]),
    ...argumentLines(ranWith === undefined ? 'Arguments' : 'Arguments as they were changed', {
      args: ranWith ?? args,
      shown: textsShown(changes, inCall),
    }),
    ...(ranWith === undefined ? [] : argumentLines('Arguments of its agent', { args })),
  ];
}

function argumentLines(
  name: string,
  { args, shown }: { readonly args: unknown; readonly shown?: ReadonlySet<string> },
): SpanLine[] {
  return [
    { spans: [{ text: name, style: 'dim' }] },
    ...jsonLines(args, { indent: 2, breaks: 'marked words', ...(shown && { shown }) }),
  ];
}

const LABEL_WIDTH = 10;

function labelled(name: string, text: string): SpanLine {
  return {
    spans: [
      { text: name.padEnd(LABEL_WIDTH), style: 'dim' },
      { text: escapeAgentLine(text), style: 'plain' },
    ],
    hang: LABEL_WIDTH,
    breaks: 'marked words',
  };
}
