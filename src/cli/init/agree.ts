import type { Cli } from '../cli.ts';
import { yesOrNo } from '../input/yes-or-no.ts';
import type { Change, Finding } from './finding.ts';
import { createTwoFilesPatch } from 'diff';
import { visible } from '../../lib/text/visible.ts';
import { hanging } from '../text/paragraph.ts';

/** How changes are agreed upon. `show`: they are only shown. */
export type Mode = 'ask' | 'yes' | 'show';

/** What becomes of the changes that were shown. */
export type Agreement = {
  readonly agreed: readonly Change[];
  /** Somebody said no. */
  readonly isRefused?: boolean;
  readonly isStopped: boolean;
};

/** Something that is decided at once. */
export type Proposal = {
  readonly findings: readonly Finding[];
  /** New files are named, not shown: they are Clifford's own. */
  readonly isBrief: boolean;
  /** What to know before it is asked about. */
  readonly note?: string | undefined;
};

/**
 * Shows what there is to do, and asks. A different entry counts as wanted with `force` only.
 *
 * @returns the changes that may be made.
 */
export async function agree(
  cli: Cli,
  { findings, isBrief, note }: Proposal,
  { mode, force }: { mode: Mode; force: boolean },
): Promise<Agreement> {
  const changes: Change[] = [];
  if (note !== undefined) cli.say(note);
  for (const finding of findings) {
    printFinding(cli, finding, { isBrief: isBrief && mode !== 'show', force });
    if (finding.is === 'wanted' || (finding.is === 'different' && force)) changes.push(finding.change);
  }
  if (mode !== 'ask' || changes.length === 0)
    return { agreed: mode === 'yes' ? changes : [], isStopped: false };
  const answer = await yesOrNo(cli, questionFor(changes));
  return {
    agreed: answer === 'yes' ? changes : [],
    isRefused: answer === 'no',
    isStopped: answer === 'stop',
  };
}

function printFinding(
  cli: Cli,
  finding: Finding,
  { isBrief, force }: { isBrief: boolean; force: boolean },
): void {
  const say = (word: string, shown: string, rest: string) =>
    cli.print(hanging(cli, lead(word), `${shown}: ${rest}`));
  switch (finding.is) {
    case 'there':
      return say('there', finding.shown, finding.about);
    case 'refused':
      return cli.warn(`clifford: Cannot change ${finding.shown}: ${finding.reason}; it is left as it is`);
    case 'wanted':
    case 'different': {
      const { shown, about, before, isCopy } = finding.change;
      if (finding.is === 'wanted') say(before === undefined ? 'new' : 'change', shown, about);
      else
        say('differs', shown, force ? `${about}, replaced` : `${about}; it stays as it is, without --force`);
      if (isCopy || (isBrief && before === undefined)) return;
      cli.printLines(unifiedDiff(finding.change).flatMap((line) => diffRows(cli, line)));
    }
  }
}

/** What stands before a line of what was found, or is to be done: all of them begin in one column. */
export function lead(word: string): string {
  return `${word.padEnd(8)} `;
}

function questionFor(changes: readonly Change[]): string {
  const [first, ...more] = changes;
  const files = first && more.length === 0 ? first.shown : `these ${changes.length} files`;
  return `Write ${files}?`;
}

/** A change as people know it from git, line by line. */
function unifiedDiff({ shown, before, after }: Change): string[] {
  const from = before === undefined ? '/dev/null' : `a/${shown}`;
  const patch = createTwoFilesPatch(from, `b/${shown}`, before ?? '', after, '', '', { context: 3 });
  return patch
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('====='))
    .map((line) => visible(line.trimEnd()));
}

/** A line of a change, indented, and coloured where there are colours: a terminal gets it broken between words. */
function diffRows(cli: Pick<Cli, 'stdout' | 'style'>, line: string): string[] {
  const [lead = ''] = /^[-+ ]? */.exec(line) ?? [];
  const rows = hanging(cli, `  ${lead}`, line.slice(lead.length)).trimEnd().split('\n');
  const look = lookOf(line);
  return look === undefined ? rows : rows.map((row) => cli.style(look, row));
}

function lookOf(line: string): Parameters<Cli['style']>[0] | undefined {
  if (/^(\+\+\+|---) /.test(line)) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('+')) return 'green';
  return line.startsWith('-') ? 'red' : undefined;
}
