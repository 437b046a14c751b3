import { rulesAskingNow, sharedRule } from '../../views/asking-rule.ts';
import { trustText } from '../../views/trust-text.ts';
import type { Approval } from '../../events/approval.ts';
import type { CommandPart, CommandParts, CommandRisk } from '../../workflow/policy/command-parts.ts';
import { lookOfCommandRisk } from '../../views/command-risk.ts';
import { callCard, type CallCard, type Revealed } from '../../views/call-card.ts';
import { riskLevel, riskOf, type RiskLevel } from '../../views/risk.ts';
import type { Question } from '../../views/sprint-view.ts';
import { changedLines, changeSize, textsShown, unifiedLines } from './change-lines.ts';
import { jsonLines } from './json-lines.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { callChanges, type CallChange } from '../../views/call-changes.ts';
import type { FilesNow } from '../../workflow/requests/files-now.ts';
import { rowsOf, type Span, type SpanLine } from './spans.ts';

/** Cells of the names in front of what is said of a call. */
const LABEL_WIDTH = 10;

/** What is known of a call beside what its request says: all of its arguments, and the rule that is offered, in lines. */
type Beside = {
  readonly revealed?: Revealed | undefined;
  readonly offer?: readonly string[] | undefined;
  /** The command taken apart, with what is said of each part. */
  readonly command?: CommandParts | undefined;
  /** What stands now in the files that it would change. Default: nobody has looked. */
  readonly files?: FilesNow | undefined;
  /** The key that shows unchanged lines which are left out. Default: all lines are shown. */
  readonly unfold?: string | undefined;
};

/**
 * Everything a human has to see of a call to decide about it, escaped, as rows of `width` cells: what it is in few rows, then
 * what it would do, then its arguments. What is hidden of those is said, unless they are `revealed`.
 */
export function approvalRows(
  approval: Approval,
  width: number,
  { revealed, offer = [], command, files, unfold }: Beside = {},
): Span[][] {
  const card = callCard(approval, revealed, callChanges((revealed ?? approval).args, files));
  const { args, explanation, changes } = card;
  const shown = textsShown(changes);
  const askingNow = rulesAskingNow(command?.parts ?? [], card.rule);
  const lines: SpanLine[] = [
    ...(card.change === undefined ? [] : [warning('Its definition has changed: see below')]),
    ...kindLines(card, { width, level: levelOf(approval), askingNow }).flat(),
    ...aboutHidden(card),
    ...(explanation ? explanationLines(explanation) : []),
    ...(command ? commandLines(command) : []),
    ...changes.flatMap((change) => [fileLine(change), ...changedLines(change, { width, unfold })]),
    { spans: [label('Arguments')] },
    ...jsonLines(args, { indent: 2, isRevealed: revealed !== undefined, shown }),
    ...definitionLines(card),
    ...offer.map((line, at) => labelled(at === 0 ? 'Offer' : '', plain(line))),
  ];
  return fittedRows(lines, width);
}

/** A call that is decided together with others. */
type BatchedCall = Pick<Question, 'id' | 'asker' | 'task' | 'approval'>;

/** What is known of such calls beside what their requests say, by the ids of those. */
type BesideBatch = {
  readonly revealed: ReadonlyMap<string, Revealed>;
  readonly commands?: ReadonlyMap<string, CommandParts>;
  readonly files?: ReadonlyMap<string, FilesNow>;
};

/**
 * Several calls that are decided together: once what all of them share, then of each all that differs, its whole arguments, on a
 * row or two where they fit, what of its command is not to be overlooked, and which files it changes.
 */
export function batchRows(
  calls: readonly BatchedCall[],
  width: number,
  { revealed, commands, files }: BesideBatch,
): Span[][] {
  const cards = calls.map(({ id, approval, ...asked }) => {
    const whole = revealed.get(id);
    const card = approval && callCard(approval, whole, callChanges((whole ?? approval).args, files?.get(id)));
    const kind = partsOf(card, { width, level: approval && levelOf(approval) });
    return {
      card,
      isRevealed: whole !== undefined,
      command: commands?.get(id),
      parts: [whoLines(asked), ...kind],
    };
  });
  const [first] = cards;
  const isShared = (first?.parts ?? []).map((part, at) =>
    cards.every(({ parts }) => JSON.stringify(parts[at]) === JSON.stringify(part)),
  );
  const lines: SpanLine[] = (first?.parts ?? []).filter((_, at) => isShared[at]).flat();
  const each = cards.flatMap(({ card, isRevealed, command, parts }, at) => [
    ...numberedLines(`${at + 1} of ${calls.length}`, card, { width, isRevealed }),
    ...parts.filter((_, part) => !isShared[part]).flat(),
    ...(command ? commandLines(command, command.parts.filter(isRisky)) : []),
    ...(card?.changes ?? []).map(fileLine),
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
function partsOf(card: CallCard | undefined, look: KindLook): SpanLine[][] {
  if (!card) return [[], [], [], []];
  const changed = card.change === undefined ? [] : [warning('Its definition has changed:')];
  return [...kindLines(card, look), [...changed, ...definitionLines(card)]];
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

/** How what a call is one of is shown: in rows of `width` cells, its risk as great as that. */
type KindLook = {
  readonly width: number;
  readonly level: RiskLevel | undefined;
  /** The rules that ask now, where others did. */
  readonly askingNow?: readonly string[];
};

function levelOf(approval: Approval): RiskLevel | undefined {
  return riskLevel(riskOf(approval));
}

/** What a call is one of and whose tool that is, what a yes may lead to and why it is asked about, and what else is said of the tool. */
function kindLines(card: CallCard, look: KindLook): SpanLine[][] {
  return [[toolLine(card)], riskLines(card, look), hintLines(card)];
}

function toolLine({ tool, agent, server, isTrusted }: CallCard): SpanLine {
  const name = (text: string): Span => ({ text: escapeAgentLine(text), style: 'name' });
  if (agent !== undefined) return sentence('Tool', name(tool), plain(` (${agent}'s own)`));
  return sentence(
    'Tool',
    name(`${server}/${tool}`),
    (isTrusted ? plain : warn)(` (${trustText(isTrusted)})`),
  );
}

/** On one line, where they fit. Where somebody has changed the policy since, which rule asked, and which ask now. */
function riskLines({ risk: word, rule }: CallCard, { width, level, askingNow = [] }: KindLook): SpanLine[] {
  const risk = level === 'high' ? warn(word) : plain(word);
  if (askingNow.length > 0)
    return [
      sentence('Risk', risk),
      sentence('Rule', plain(rule), { text: ', which asked then', style: 'dim' }),
      sentence('Asks now', plain(askingNow.join(', '))),
    ];
  const both = sentence('Risk', risk, { text: ' · rule: ', style: 'dim' }, plain(rule));
  const cells = both.spans.reduce((sum, { text }) => sum + cellsOf(text), 0);
  return cells <= width ? [both] : [sentence('Risk', risk), sentence('Rule', plain(rule))];
}

function definitionLines({ change }: CallCard): SpanLine[] {
  return change === undefined ? [] : [{ spans: [label('Definition')] }, ...unifiedLines(change)];
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

/** What a server says of its tool besides. */
function hintLines({ risk, hints, isTrusted }: CallCard): SpanLine[] {
  const others = hints.filter((hint) => !isSaidBy(risk, hint));
  if (others.length === 0) return [];
  return [sentence('Server', plain(`${isTrusted ? 'says' : 'claims'}: ${others.join(', ')}`))];
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

/** Each command of a line on a line of its own, with what the policy says of it: the rule that all of them share stands above. */
function commandLines({ parts, writes, doubt }: CommandParts, shown = parts): SpanLine[] {
  const shared = sharedRule(parts);
  return [
    ...shown.map(({ text, decision, rule, risks = [] }, at) => {
      const { mark, style, word } = verdicts[decision];
      const why = decision === 'confirm' && shared !== undefined ? '' : `: ${escapeAgentLine(rule)}`;
      const said: Span = { text: `  ${word}${why}`, style: 'dim' };
      const name = at === 0 ? 'Runs' : '';
      return labelled(name, { text: `${mark} `, style }, plain(text), ...risks.map(riskSpan), said);
    }),
    ...writes.map((path) => labelled('Writes', plain(path))),
    ...(doubt === undefined ? [] : [warning(`Not all of it is known: ${doubt}`)]),
  ];
}

const riskStyles = { high: 'warning', medium: 'literal', low: 'dim' } as const;

function isRisky({ risks = [] }: CommandPart): boolean {
  return risks.length > 0;
}

/** A part that destroys, or tells others something, is not to be read over. */
function riskSpan(risk: CommandRisk): Span {
  const { sign, word, level } = lookOfCommandRisk(risk);
  return { text: `  ${sign} ${word}`, style: riskStyles[level] };
}

/** The file that a call changes or writes, and how much of it. */
function fileLine(change: CallChange): SpanLine {
  const { path, isEdit } = change;
  const size: Span = { text: changeSize(change), style: 'dim' };
  return labelled(isEdit ? 'Changes' : 'Writes', plain(path), size);
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
