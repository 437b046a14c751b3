import type { Approval } from '../../events/approval.ts';
import { callCard, type CallCard, type Revealed } from '../../views/call-card.ts';
import type { Question } from '../../views/sprint-view.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { jsonLines } from './json-lines.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { MARK_WIDTH, rowsOf, type Span, type SpanLine } from './spans.ts';

/** Cells of the names in front of what is said of a call. */
const LABEL_WIDTH = 10;

/** What is known of a call beside what its request says: all of its arguments, and the rule that is offered, in lines. */
type Beside = {
  readonly revealed?: Revealed | undefined;
  readonly offer?: readonly string[] | undefined;
};

/**
 * Everything a human has to see of a call to decide about it, escaped, as rows of `width` cells. What is hidden of its
 * arguments is said, unless they are `revealed`.
 */
export function approvalRows(
  approval: Approval,
  width: number,
  { revealed, offer = [] }: Beside = {},
): Span[][] {
  const card = callCard(approval, revealed);
  const { tool, agent, rule, hints, isTrusted, args, change, explanation } = card;
  const lines: SpanLine[] = [
    ...(change === undefined ? [] : [warning('Its definition has changed: see below')]),
    labelled(agent === undefined ? 'Tool' : 'Kind', { text: escapeAgentLine(tool), style: 'name' }),
    agent === undefined ? serverLine(card) : labelled('Agent', plain(agent), plain(' (a tool of its own)')),
    labelled('Rule', plain(rule)),
    ...hintLines(isTrusted ? 'Hints' : 'It claims', hints, width - LABEL_WIDTH),
    ...(explanation ? explanationLines(explanation) : []),
    { spans: [label('Arguments')] },
    ...aboutHidden(card),
    ...jsonLines(args, { indent: 2, isRevealed: revealed !== undefined }),
    ...(change === undefined ? [] : [{ spans: [label('Definition')] }, ...changeLines(change)]),
    ...offer.map((line, at) => labelled(at === 0 ? 'Offer' : '', plain(line))),
  ];
  return lines.flatMap((line) => rowsOf(line, width));
}

/** Several calls that are decided together: each with who asks, and everything that one has to see of it. */
export function batchRows(
  calls: readonly Pick<Question, 'id' | 'asker' | 'task' | 'approval'>[],
  width: number,
  revealed: ReadonlyMap<string, Revealed>,
): Span[][] {
  return calls.flatMap(({ id, asker, task, approval }, at) => {
    const whose = `${at + 1} of ${calls.length} · ${asker}${task === undefined ? '' : ` about ${task}`}`;
    const head = rowsOf({ spans: [{ text: escapeAgentLine(whose), style: 'warning' }] }, width);
    return approval ? [...head, ...approvalRows(approval, width, { revealed: revealed.get(id) })] : head;
  });
}

function serverLine({ server, isTrusted }: CallCard): SpanLine {
  return labelled(
    'Server',
    plain(server),
    isTrusted ? plain(' (hints trusted)') : warn(' (hints not trusted)'),
  );
}

/** What a human had asked, and what the agent has said since: its words, whatever they look like. */
function explanationLines({ question, words }: NonNullable<CallCard['explanation']>): SpanLine[] {
  const said = words === '' ? [warn('nothing since you asked')] : undefined;
  return [
    labelled('Asked', plain(question.replaceAll('\n', ' '))),
    ...(said
      ? [labelled('It says', ...said)]
      : words.split('\n').map((line, at) => labelled(at === 0 ? 'It says' : '', plain(line)))),
  ];
}

/** What a server says of its tool. What does not fit into a row goes on, marked, with the next hint. */
function hintLines(name: string, hints: readonly string[], width: number): SpanLine[] {
  const texts: string[] = [];
  for (const hint of hints) {
    const room = width - (texts.length > 1 ? MARK_WIDTH : 0);
    const last = texts.at(-1);
    const joined = `${last}, ${hint},`;
    if (last === undefined || cellsOf(joined) > room) texts.push(hint);
    else texts[texts.length - 1] = `${last}, ${hint}`;
  }
  return texts.map((text, at) => {
    const spans = [plain(at === texts.length - 1 ? text : `${text},`)];
    return at === 0 ? labelled(name, ...spans) : { spans, hang: LABEL_WIDTH, isContinued: true };
  });
}

/** What is not to be seen of the arguments. */
function aboutHidden({ cut, hidden }: CallCard): SpanLine[] {
  return [
    ...(cut === undefined ? [] : [warning(`Too long to show: here are ${cut}`)]),
    ...(hidden === undefined ? [] : [warning(hidden)]),
  ];
}

/** A unified diff, or words. */
function changeLines(change: string): SpanLine[] {
  return change.split('\n').map((line, at) => ({
    indent: 2,
    spans: [{ text: escapeAgentLine(line), style: styleOf(line, at) }],
  }));
}

function styleOf(line: string, at: number): Span['style'] {
  const names = at < 2 && /^(?:---|\+\+\+) /.test(line);
  if (names || line.startsWith('@@')) return 'dim';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'plain';
}

function labelled(name: string, ...spans: Span[]): SpanLine {
  return { spans: [label(name), ...spans], hang: LABEL_WIDTH };
}

function label(name: string): Span {
  return { text: name.padEnd(LABEL_WIDTH), style: 'dim' };
}

function plain(text: string): Span {
  return { text: escapeAgentLine(text), style: 'plain' };
}

function warn(text: string): Span {
  return { text, style: 'warning' };
}

function warning(text: string): SpanLine {
  return { spans: [warn(text)] };
}
