import { OWN_SERVER, ownTool } from '../../workflow/project/own-tools.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { isAll } from '../../workflow/history/recent-events.ts';
import { dayAndTime } from '../../lib/time/clock-text.ts';
import { duration } from '../../lib/time/duration.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { count } from '../../lib/text/count.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { callChanges, changedPaths } from '../../views/call-changes.ts';
import { argsText } from '../../views/args-text.ts';
import { changeWords } from '../../views/change-size.ts';
import { toolCalls, type CallWord, type ToolCallView } from '../../views/tool-calls.ts';
import type { Project } from '../../workflow/project/project.ts';
import { filesNow, type FilesNow } from '../../workflow/requests/files-now.ts';
import { changedLines, changeSize, textsShown } from '../text/change-lines.ts';
import { forWidths, timeIn, type LineWidth } from '../text/line-widths.ts';
import { jsonLines } from '../text/json-lines.ts';
import type { Span, SpanLine } from '../text/spans.ts';
import type { Pane, PaneLine } from './pane.ts';

/** The calls of tools that the agents of a task made, and who decided on them. */
export const callsPane: Pane = {
  id: 'calls',
  title: 'Calls',
  short: 'Calls',
  about: 'the tools that were called, with what, and who allowed it',
  kind: 'history',
  follows: 'files',
  load: async ({ events, project, stream, past }, task) => {
    const all = await events.read();
    const calls = toolCalls(all).filter((call) => call.task === task);
    const files = await filesOfOpen(past ? [] : calls, project, { stream, task });
    const isAsked = askedAbout(past ? past.sprint : project.state.streams.get(stream));
    const lines = forWidths((width) => {
      const cells = cellsFor(calls, width);
      return calls.map((call) =>
        callLine(call, cells, { width, isAsked: isAsked(call), files: files.get(call.callId) }),
      );
    });
    return { lines, empty: emptyText(all) };
  },
};

const words = {
  open: { mark: '●', word: 'runs', style: 'name' },
  allowed: { mark: '●', word: 'runs', style: 'name' },
  done: { mark: '✔', word: 'done', style: 'text' },
  failed: { mark: '✗', word: 'failed', style: 'removed' },
  denied: { mark: '✗', word: 'denied', style: 'warning' },
  late: { mark: '✗', word: 'late', style: 'warning' },
  unasked: { mark: '!', word: 'unasked', style: 'warning' },
} as const satisfies Record<CallWord, { mark: string; word: string; style: Span['style'] }>;

/** A call that runs once a human has said yes. */
const waiting = { mark: '○', word: 'waits', style: 'plain' } as const;

/** A call that waits for the words of a human, not for a yes: nothing of it is pending. */
const asking = { mark: '?', word: 'asks', style: 'warning' } as const;

const questionTools: readonly string[] = [ownTool.requestHelp, ownTool.askClarification];

function isQuestion({ agent, server, tool }: ToolCallView): boolean {
  return agent === undefined && server === OWN_SERVER && questionTools.includes(tool);
}

/** Whether a call waits for the yes of a human: to it, or to one like it. */
function askedAbout(sprint: SprintState | undefined): (call: ToolCallView) => boolean {
  const ids = new Set<string>();
  const alike = new Set<string>();
  for (const { phase, asked } of sprint?.requests.values() ?? []) {
    if (phase !== 'open' || !asked.approval) continue;
    ids.add(asked.approval.callId);
    alike.add(textOf(asked.approval));
  }
  return (call) => call.is === 'open' && alike.size > 0 && (ids.has(call.callId) || alike.has(textOf(call)));
}

function textOf({ server, tool, args }: Pick<ToolCallView, 'server' | 'tool' | 'args'>): string {
  return JSON.stringify([server, tool, args]);
}

function lookOfCall(call: ToolCallView, isAsked: boolean) {
  if (call.is !== 'open') return words[call.is];
  if (isQuestion(call)) return asking;
  return isAsked ? waiting : words.open;
}

const WORD_WIDTH = Math.max(...Object.values(words).map(({ word }) => word.length));

function emptyText(all: readonly StoredEvent[]): string {
  return isAll(all)
    ? 'No tool has been called yet'
    : 'None among the newest events of the sprint: clifford replay has all';
}

/** Cells of the column of names, at most. */
const WIDEST_NAME = { wide: 26, middle: 20, narrow: 20 };

type CallCells = { readonly word: number; readonly name: number };

/** Where there is less room a mark says by itself that a call is done: what was called, and with what, is worth more. */
function cellsFor(calls: readonly ToolCallView[], width: LineWidth): CallCells {
  const names = calls.map((call) => cellsOf(nameIn(width, call)));
  const name = Math.min(WIDEST_NAME[width], Math.max(0, ...names));
  if (width === 'wide') return { word: WORD_WIDTH, name };
  const said = calls.filter(({ is }) => width === 'middle' && is !== 'done');
  // One that waits has the longer word of the two.
  return { word: Math.max(0, ...said.map((call) => lookOfCall(call, true).word.length)), name };
}

/** What stands in the files of calls that have not run yet: what stood there before one that has, nobody knows. */
async function filesOfOpen(
  calls: readonly ToolCallView[],
  project: Project,
  { stream, task }: { readonly stream: string; readonly task: string },
): Promise<ReadonlyMap<string, FilesNow>> {
  const files = new Map<string, FilesNow>();
  for (const { callId, args, agent } of calls.filter(({ is }) => is === 'open')) {
    const paths = changedPaths(args);
    if (paths.length === 0) continue;
    files.set(callId, await filesNow(project, { stream, task, isOwn: agent !== undefined }, paths));
  }
  return files;
}

/** What is known of a call beside what its events say. */
type CallLook = { readonly isAsked: boolean; readonly files: FilesNow | undefined };

function callLine(
  call: ToolCallView,
  cells: CallCells,
  { width, isAsked, files }: CallLook & { readonly width: LineWidth },
): PaneLine {
  const { mark, word, style } = lookOfCall(call, isAsked);
  const name = nameIn(width, call);
  const blanks = ' '.repeat(Math.max(0, cells.name - cellsOf(name)) + 1);
  const said = width === 'wide' || call.is !== 'done' ? word : '';
  return {
    at: call.version,
    line: {
      spans: [
        { text: timeIn(width, call.at), style: 'dim' },
        { text: cells.word === 0 ? `${mark} ` : `${mark} ${said.padEnd(cells.word)} `, style },
        { text: name + blanks, style: 'name' },
        { text: escapeAgentLine(call.title ?? argsText(call.args)), style: 'plain' },
      ],
    },
    whole: (wide) => wholeCall(call, { width: wide, isAsked, files }),
  };
}

/** Of Clifford's own tools without the server, where there is less room. */
function nameIn(width: LineWidth, call: ToolCallView): string {
  const isOurs = call.agent === undefined && call.server === OWN_SERVER;
  return isOurs && width !== 'wide' ? escapeAgentLine(call.tool) : nameOf(call);
}

/** `execute` of an agent's own, else the server and its tool. */
function nameOf({ agent, server, tool }: ToolCallView): string {
  return escapeAgentLine(agent === undefined ? `${server} ${tool}` : tool);
}

function wholeCall(
  call: ToolCallView,
  { width, isAsked, files }: CallLook & { readonly width: number },
): SpanLine[] {
  const changes = callChanges(call.args, files);
  const { returned, error, paths } = call;
  const about = [
    ['Call', call.agent === undefined ? nameOf(call) : `${nameOf(call)}, a tool of ${call.agent} itself`],
    ['Time', dayAndTime(call.at)],
    lookOfCall(call, isAsked) === asking
      ? ['Question', 'waits for an answer']
      : ['Approval', isAsked ? 'waits' : decisionOf(call)],
    ...(call.title === undefined ? [] : [['Title', call.title]]),
    ...(paths.length === 0 ? [] : [['Files', paths.join(', ')]]),
    ...(returned === undefined ? [] : [['Result', resultOf(returned)]]),
    ...(error === undefined ? [] : [['Error', error]]),
  ];
  return [
    ...about.map(([name = '', text = '']) => labelled(name, text)),
    ...changes.flatMap((change) => [
      labelled(changeWords[change.how], change.path + changeSize(change)),
      ...changedLines(change, { width }),
    ]),
    { spans: [{ text: 'Arguments', style: 'dim' }] },
    ...jsonLines(call.args, { indent: 2, breaks: 'marked words', shown: textsShown(changes, call.args) }),
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

function decisionOf({ is, rule, by }: ToolCallView): string {
  const whose = rule === undefined ? (by === undefined ? '' : ` by ${by}`) : ` by the rule ${rule}`;
  if (is === 'unasked') return `nobody was asked, though${whose} it should have been`;
  if (is === 'denied') return `denied${whose}`;
  if (is === 'late') return `allowed${whose} too late: its agent had given up, and nothing ran`;
  if (whose === '') return 'not needed';
  return `allowed${whose}`;
}

function resultOf({ isError, bytes, durationMs, lines }: NonNullable<ToolCallView['returned']>): string {
  const changed = lines === undefined ? '' : `, +${lines.added} −${lines.removed} lines`;
  return `${isError ? 'an error, ' : ''}${count(bytes, 'byte')} after ${duration(durationMs)}${changed}`;
}
