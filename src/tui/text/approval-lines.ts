import { sharedRule } from '../../views/asking-rule.ts';
import { trustText } from '../../views/trust-text.ts';
import type { Approval } from '../../events/approval.ts';
import type { CommandParts } from '../../gateway/permission/command-parts.ts';
import type { CallChange, ChangedLine } from '../../views/call-changes.ts';
import { callCard, type CallCard, type Revealed } from '../../views/call-card.ts';
import type { Question } from '../../views/sprint-view.ts';
import { jsonLines } from './json-lines.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { rowsOf, type Span, type SpanLine } from './spans.ts';

/** Cells of the names in front of what is said of a call. */
const LABEL_WIDTH = 10;

/** What is known of a call beside what its request says: all of its arguments, and the rule that is offered, in lines. */
type Beside = {
  readonly revealed?: Revealed | undefined;
  readonly offer?: readonly string[] | undefined;
  /** The command taken apart, with what is said of each part. */
  readonly command?: CommandParts | undefined;
};

/**
 * Everything a human has to see of a call to decide about it, escaped, as rows of `width` cells. What is hidden of its
 * arguments is said, unless they are `revealed`.
 */
export function approvalRows(
  approval: Approval,
  width: number,
  { revealed, offer = [], command }: Beside = {},
): Span[][] {
  const card = callCard(approval, revealed);
  const { args, explanation, changes } = card;
  const shown = new Set(changes.flatMap(({ texts }) => texts).filter((text) => text.includes('\n')));
  const lines: SpanLine[] = [
    ...(card.change === undefined ? [] : [warning('Its definition has changed: see below')]),
    ...kindLines(card).flat(),
    ...(explanation ? explanationLines(explanation) : []),
    ...(command ? commandLines(command) : []),
    ...changes.flatMap(fileLines),
    { spans: [label('Arguments')] },
    ...aboutHidden(card),
    ...jsonLines(args, { indent: 2, isRevealed: revealed !== undefined, shown }),
    ...definitionLines(card),
    ...offer.map((line, at) => labelled(at === 0 ? 'Offer' : '', plain(line))),
  ];
  return fittedRows(lines, width);
}

/** A call that is decided together with others. */
type BatchedCall = Pick<Question, 'id' | 'asker' | 'task' | 'approval'>;

/**
 * Several calls that are decided together: once what all of them share, then of each all that differs, and its whole arguments,
 * on a row or two where they fit.
 */
export function batchRows(
  calls: readonly BatchedCall[],
  width: number,
  revealed: ReadonlyMap<string, Revealed>,
): Span[][] {
  const cards = calls.map(({ id, approval, ...asked }) => {
    const card = approval && callCard(approval, revealed.get(id));
    return { card, isRevealed: revealed.has(id), parts: [whoLines(asked), ...partsOf(card)] };
  });
  const [first] = cards;
  const isShared = (first?.parts ?? []).map((part, at) =>
    cards.every(({ parts }) => JSON.stringify(parts[at]) === JSON.stringify(part)),
  );
  const lines: SpanLine[] = (first?.parts ?? []).filter((_, at) => isShared[at]).flat();
  const each = cards.flatMap(({ card, isRevealed, parts }, at) => [
    ...numberedLines(`${at + 1} of ${calls.length}`, card, { width, isRevealed }),
    ...parts.filter((_, part) => !isShared[part]).flat(),
    ...(card ? aboutHidden(card) : []),
    ...(card?.explanation ? explanationLines(card.explanation) : []),
  ]);
  return fittedRows([...lines, ...each], width);
}

/** Rows of fewer cells begin below the label, not behind it. */
const NARROW = 50;
const NARROW_HANG = 2;

function fittedRows(lines: readonly SpanLine[], width: number): Span[][] {
  return lines.flatMap((line) =>
    rowsOf(width < NARROW && line.hang ? { ...line, hang: NARROW_HANG } : line, width),
  );
}

/** What calls of a batch may have in common: always as many parts, some of them empty. */
function partsOf(card: CallCard | undefined): SpanLine[][] {
  if (!card) return [[], [], [], [], []];
  const changed = card.change === undefined ? [] : [warning('Its definition has changed:')];
  return [...kindLines(card), [...changed, ...definitionLines(card)]];
}

function whoLines({ asker, task }: Pick<BatchedCall, 'asker' | 'task'>): SpanLine[] {
  return [sentence('Asked by', plain(`${asker}${task === undefined ? '' : ` about ${task}`}`))];
}

/** Rows that the arguments of a call may take in a list: of longer ones each value has a row. */
const LISTED_ROWS = 2;

/** The arguments of a call, whole, behind its number. */
function numberedLines(
  number: string,
  card: CallCard | undefined,
  { width, isRevealed }: { readonly width: number; readonly isRevealed: boolean },
): SpanLine[] {
  const head: Span = { text: number.padEnd(LABEL_WIDTH), style: 'warning' };
  const lines = card ? jsonLines(card.args, { indent: 2, isRevealed }) : [];
  const spans = lines.flatMap(({ spans: own, isContinued }, at) =>
    at === 0 || isContinued ? own : [plain(' '), ...own],
  );
  const listed = { spans: [head, ...spans], hang: LABEL_WIDTH };
  return rowsOf(listed, width).length <= LISTED_ROWS ? [listed] : [{ spans: [head] }, ...lines];
}

/** What a call is one of, who runs it, why it is asked about, and what is said of its tool. */
function kindLines(card: CallCard): SpanLine[][] {
  const { tool, agent, rule } = card;
  return [
    [labelled(agent === undefined ? 'Tool' : 'Kind', { text: escapeAgentLine(tool), style: 'name' })],
    [agent === undefined ? serverLine(card) : labelled('Agent', plain(agent), plain(' (a tool of its own)'))],
    [riskLine(card)],
    [sentence('Rule', plain(rule))],
  ];
}

function definitionLines({ change }: CallCard): SpanLine[] {
  return change === undefined ? [] : [{ spans: [label('Definition')] }, ...changeLines(change)];
}

function serverLine({ server, isTrusted }: CallCard): SpanLine {
  return sentence('Server', plain(server), (isTrusted ? plain : warn)(` (${trustText(isTrusted)})`));
}

/** What a human had asked, and what the agent has said since: its words, whatever they look like. */
function explanationLines({ question, words }: NonNullable<CallCard['explanation']>): SpanLine[] {
  const said = words === '' ? [warn('nothing since you asked')] : undefined;
  return [
    sentence('Asked', plain(question.replaceAll('\n', ' '))),
    ...(said
      ? [sentence('It says', ...said)]
      : words.split('\n').map((line, at) => sentence(at === 0 ? 'It says' : '', plain(line)))),
  ];
}

/** What a yes may lead to, and what else a server says of that. */
function riskLine({ risk, hints, isTrusted }: CallCard): SpanLine {
  const others = hints.filter((hint) => !isSaidBy(risk, hint));
  const says = isTrusted ? 'says' : 'claims';
  const said = others.length === 0 ? '' : `; the server ${says}: ${others.join(', ')}`;
  return sentence('Risk', plain(risk + said));
}

/** Whether the risk says so already: what may destroy may change things. */
function isSaidBy(risk: string, hint: string): boolean {
  return hint === risk || (risk === 'may destroy' && hint === 'may change things');
}

/** What is not to be seen of the arguments. */
function aboutHidden({ cut, hidden }: CallCard): SpanLine[] {
  return [
    ...(cut === undefined ? [] : [warning(`Too long to show: here are ${cut}`)]),
    ...(hidden === undefined ? [] : [warning(hidden)]),
  ];
}

const verdicts = {
  allow: { mark: '✔', style: 'added', word: 'allowed' },
  clear: { mark: '·', style: 'dim', word: 'nothing against it' },
  confirm: { mark: '?', style: 'warning', word: 'asks' },
  deny: { mark: '✗', style: 'removed', word: 'refused' },
} as const;

/** Each command of a line on a line of its own, with what the policy says of it. */
function commandLines({ parts, writes, doubt }: CommandParts): SpanLine[] {
  const shared = sharedRule(parts);
  return [
    ...parts.map(({ text, decision, rule }, at) => {
      const { mark, style, word } = verdicts[decision];
      const why = decision === 'confirm' && shared !== undefined ? '' : `: ${escapeAgentLine(rule)}`;
      const said: Span = { text: `  ${word}${why}`, style: 'dim' };
      return labelled(at === 0 ? 'Runs' : '', { text: `${mark} `, style }, plain(text), said);
    }),
    ...(shared === undefined
      ? []
      : [sentence('', { text: `what asks is ${escapeAgentLine(shared)}`, style: 'dim' })]),
    ...writes.map((path) => labelled('Writes', plain(path))),
    ...(doubt === undefined ? [] : [warning(`Not all of it is known: ${doubt}`)]),
  ];
}

const changeMarks = { added: '+ ', removed: '- ', kept: '  ' } as const;
const changeStyles = { added: 'added', removed: 'removed', kept: 'dim' } as const;

/** What a call makes of a file: every line of it, so that nothing of it is seen only by whoever runs it. */
function fileLines({ path, isEdit, lines }: CallChange): SpanLine[] {
  const count = (is: ChangedLine['is']) => lines.filter((line) => line.is === is).length;
  const much = isEdit ? ` (+${count('added')} -${count('removed')})` : ` (${lines.length} lines, whole)`;
  return [
    labelled(isEdit ? 'Changes' : 'Writes', plain(path), { text: much, style: 'dim' }),
    ...lines.map(({ is, text }): SpanLine => ({
      indent: 2,
      hang: 2,
      spans: [{ text: changeMarks[is] + escapeAgentLine(text), style: changeStyles[is] }],
    })),
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

/** Words that are read, not compared: they stay whole. */
function sentence(name: string, ...spans: Span[]): SpanLine {
  return { ...labelled(name, ...spans), breaks: 'marked words' };
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
  return { spans: [warn(text)], breaks: 'marked words' };
}
