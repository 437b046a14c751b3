import { sharedRule } from '../../views/requests/asking-rule.ts';
import { beliefText } from '../../views/requests/belief-text.ts';
import type { Approval } from '../../events/approval.ts';
import type { CommandRisk } from '../../events/command-risk.ts';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import { lookOfCommandRisk, OPEN } from '../../views/calls/command-risk.ts';
import type { CallCard } from '../../views/calls/call-card.ts';
import type { RiskLevel } from '../../views/calls/risk-level.ts';
import { riskLevel, riskOf } from '../../views/calls/risk.ts';
import { unclearText } from '../../views/calls/unclear-files.ts';
import { withinProject } from '../../views/calls/within-project.ts';
import { changeWords } from '../../views/changes/change-size.ts';
import { changeSize, unifiedSpans } from './change-lines.ts';
import { cellsOf } from '../../lib/text/cells.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import type { CallChange } from '../../views/calls/call-changes.ts';
import { rowsOf, type Span, type SpanLine } from './spans.ts';

/** Cells of the names in front of what is said of a call. */
export const LABEL_WIDTH = 10;

/** Rows of fewer cells begin below the label, not behind it. */
const NARROW = 50;
const NARROW_HANG = 2;

/** Lines about a call in rows of `width` cells. */
export function fittedRows(lines: readonly SpanLine[], width: number): Span[][] {
  return lines.flatMap((line) =>
    rowsOf(width < NARROW && line.hang ? { ...line, hang: NARROW_HANG } : line, width),
  );
}

/** How what a call is one of is shown: in rows of `width` cells, its risk as great as that. */
export type KindLook = {
  readonly width: number;
  readonly level: RiskLevel | undefined;
  /** The command that it runs, taken apart. */
  readonly command?: CommandParts | undefined;
  /** The rules that ask now, where others did. */
  readonly askingNow?: readonly string[];
};

/** How great the risk of a call is; `undefined`: there is none. */
export function levelOf(approval: Approval): RiskLevel | undefined {
  return riskLevel(riskOf(approval));
}

/** What a call is one of and whose tool that is, what a yes may lead to and why it is asked about, and what else is said of the tool. */
export function kindLines(card: CallCard, look: KindLook): SpanLine[][] {
  return [[toolLine(card)], riskLines(card, look), hintLines(card)];
}

function toolLine({ tool, agent, server, isTrusted }: CallCard): SpanLine {
  const name = (text: string): Span => ({ text: escapeAgentLine(text), style: 'name' });
  if (agent !== undefined) return sentence('Tool', name(tool), plain(` (${agent}'s own)`));
  return sentence(
    'Tool',
    name(`${server}/${tool}`),
    (isTrusted ? plain : warn)(` (${beliefText(isTrusted)})`),
  );
}

/** On one line, where they fit. Where somebody has changed the policy since, which rule asked, and which ask now. */
function riskLines(
  { risk: word, rule }: CallCard,
  { width, level, command, askingNow = [] }: KindLook,
): SpanLine[] {
  const others = worstOf(command).filter((each) => each !== word);
  const said = [word, ...others].join(', ');
  const risk: Span = { text: escapeAgentLine(said), style: riskStyle(level, others.length > 0) };
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

/** The worst is as red as what has failed; where it is no high one, what its parts do besides is not to be overlooked. */
function riskStyle(level: RiskLevel | undefined, hasOthers: boolean): Span['style'] {
  if (level === 'high') return 'danger';
  return hasOthers ? 'warning' : 'plain';
}

/** What parts of a command do that is not to be overlooked before all else, each once. */
function worstOf(command: CommandParts | undefined): string[] {
  const looks = (command?.parts ?? []).flatMap(({ risks = [] }) => risks.map(lookOfCommandRisk));
  return [...new Set(looks.filter(({ level }) => level === 'high').map(({ word }) => word))];
}

/** How the definition of its tool has changed, if it has. */
export function definitionLines({ change }: CallCard): SpanLine[] {
  return change === undefined ? [] : [{ spans: [label('Definition')] }, ...unifiedSpans(change)];
}

/** What a human had asked, and what the agent has said since: its words, whatever they look like. */
export function explanationLines({ question, words }: NonNullable<CallCard['explanation']>): SpanLine[] {
  const said = words === '' ? [warn('nothing since you asked')] : undefined;
  return [
    sentence('Asked', plain(question.replaceAll('\n', ' '))),
    ...(said
      ? [sentence('It says', ...said)]
      : words.split('\n').map((line, at) => sentence(at === 0 ? 'It says' : '', plain(line)))),
  ];
}

/** What a server says of its tool besides: rows are few. */
function hintLines({ risk, hints, isTrusted }: CallCard): SpanLine[] {
  const others = hints.filter((hint) => hint !== risk);
  if (others.length === 0) return [];
  return [sentence('Server', plain(`${isTrusted ? 'says' : 'claims'}: ${others.join(', ')}`))];
}

/** What is not to be seen: of the arguments, and of what the call does to files. */
export function aboutHidden({ cut, hidden, unclear }: CallCard): SpanLine[] {
  return [
    ...(unclear === undefined ? [] : [warning(unclearText(unclear))]),
    ...(cut === undefined ? [] : [warning(`Too long to show: here are ${cut}`)]),
    ...(hidden === undefined ? [] : [warning(hidden)]),
  ];
}

const verdicts = {
  allow: { mark: '✔', style: 'added', word: 'allowed' },
  clear: { mark: '·', style: 'dim', word: 'nothing against it' },
  confirm: { mark: '?', style: 'warning', word: 'asks' },
  deny: { mark: '✗', style: 'removed', word: 'denied' },
} as const;

/** A command as it is written, on its lines: with a bar in front, none of them can pass for a line of ours. */
export function commandTextLines(text: string): SpanLine[] {
  return text.split('\n').map((line, at) => {
    const code: Span = { text: escapeAgentLine(line), style: 'code' };
    return at === 0 ? labelled('Command', code) : labelled('', { text: '│ ', style: 'dim' }, code);
  });
}

type HowShown = {
  /** Default: all of them. */
  readonly shown?: CommandParts['parts'];
  /** It was asked about in the past: nothing is said of what the policy says of each now. Default: it waits. */
  readonly isPast?: boolean;
};

/**
 * Each command of a line on a line of its own, with what the policy says of it: the rule that all of them share stands above,
 * and where it asks about all of them nothing is said of that: what a part does that is not to be overlooked stands out.
 */
export function commandLines(
  { parts, writes, doubt }: CommandParts,
  { shown = parts, isPast = false }: HowShown = {},
): SpanLine[] {
  const shared = sharedRule(parts);
  const isAsked = parts.every(({ decision, rule }) => decision === 'confirm' && rule === parts[0]?.rule);
  return [
    ...shown.map(({ text, decision, rule, isOpen, risks = [] }, at) => {
      const { mark, style, word } = verdicts[decision];
      const why = decision === 'confirm' && shared !== undefined ? '' : `: ${escapeAgentLine(rule)}`;
      const said = [...(isOpen ? [OPEN] : []), ...(isAsked || isPast ? [] : [`${word}${why}`])];
      const spans = said.map((words): Span => ({ text: `  ${words}`, style: 'dim' }));
      const name = at === 0 ? 'Runs' : '';
      const sign: Span[] = isAsked || isPast ? [] : [{ text: `${mark} `, style }];
      return labelled(name, ...sign, plain(text), ...risks.map(riskSpan), ...spans);
    }),
    ...writes.map((path) => labelled('Writes', plain(path))),
    ...(doubt === undefined ? [] : [warning(`Not all of it is known: ${doubt}`)]),
  ];
}

const riskStyles = { high: 'danger', medium: 'literal', low: 'dim' } as const;

/** A part that destroys, or tells others something, is not to be read over. */
function riskSpan(risk: CommandRisk): Span {
  const { sign, word, level } = lookOfCommandRisk(risk);
  return { text: `  ${sign} ${word}`, style: riskStyles[level] };
}

/** The file that a call changes or writes, and how much of it. @param folder - Where its agent works: it is named from there. */
export function fileLine(change: CallChange, folder: string | undefined): SpanLine {
  const { path, how } = change;
  const size: Span = { text: changeSize(change), style: 'dim' };
  return labelled(changeWords[how], plain(folder === undefined ? path : withinProject(folder, path)), size);
}

/** Behind a name, further rows below the first. */
export function labelled(name: string, ...spans: Span[]): SpanLine {
  return { spans: [label(name), ...spans], hang: LABEL_WIDTH };
}

/** Words that are read, not compared: they stay whole. */
export function sentence(name: string, ...spans: Span[]): SpanLine {
  return { ...labelled(name, ...spans), breaks: 'marked words' };
}

/** A name in front of what is said. */
export function label(name: string): Span {
  return { text: name.padEnd(LABEL_WIDTH), style: 'dim' };
}

/** An agent's words. */
export function plain(text: string): Span {
  return { text: escapeAgentLine(text), style: 'plain' };
}

function warn(text: string): Span {
  return { text, style: 'warning' };
}

/** A line that is not to be overlooked. */
export function warning(text: string): SpanLine {
  return { spans: [warn(text)], breaks: 'marked words' };
}
