import { count } from '../../lib/text/count.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { callTitleOfType, titleOfType } from '../../views/events/event-title.ts';
import { moveTitle, type Moving } from '../../views/events/move-title.ts';
import { waysOn, type MachinePath, type PathStep } from '../../views/events/machine-path.ts';
import { diagramLines } from './diagram-lines.ts';
import type { SpanLine } from './spans.ts';

/**
 * The way through a machine: its states and what leads from one to another, where that can be drawn, the transitions that
 * were taken, the latest first, and where it can go from here.
 */
export function pathLines(path: MachinePath, width: number): SpanLine[] {
  const { now, steps, length } = path;
  const ways = waysOn(path).map(([moving, targets]) => [titleOf(moving), targets] as const);
  return [
    ...(diagramLines(path, width) ?? [{ spans: [{ text: `▶${now}◀`, style: 'lit' }] }]),
    { spans: [] },
    heading(`How it got here: ${count(length, 'step')}, the latest first`),
    ...(steps.length === 0 ? [note('no step yet')] : stepLines(steps, width)),
    { spans: [] },
    heading('What can happen next'),
    ...(ways.length === 0
      ? [note('nothing')]
      : ways.map(([event, targets]) =>
          wayLine(event, targets, Math.max(...ways.map(([name]) => name.length))),
        )),
  ];
}

const HANG = 2;

/** `×2` where it was taken twice. Where one of them had to be broken, none says from where it led. */
function stepLines(steps: readonly PathStep[], width: number): SpanLine[] {
  const events = Math.max(...steps.map((step) => titleOf(step).length));
  const linesOf = (wayOf: (step: PathStep) => string) =>
    steps.map((step): SpanLine => ({
      spans: [
        { text: `${clockTime(step.time)} `, style: 'dim' },
        { text: `${titleOf(step).padEnd(events)} `, style: 'name' },
        { text: wayOf(step), style: 'plain' },
        ...(step.count > 1 ? [{ text: ` ×${step.count}`, style: 'bold' as const }] : []),
      ],
      breaks: 'words',
      hang: HANG,
    }));
  const whole = linesOf(({ from, to }) => `${from} → ${to}`);
  const isFit = whole.every(({ spans }) => spans.reduce((sum, { text }) => sum + text.length, 0) <= width);
  return isFit ? whole : linesOf(({ to }) => `→ ${to}`);
}

function titleOf(moving: Moving): string {
  return moveTitle(moving, { of: titleOfType, ofCall: callTitleOfType });
}

function wayLine(event: string, targets: readonly string[], events: number): SpanLine {
  return {
    spans: [
      { text: `${event.padEnd(events)} `, style: 'dim' },
      { text: `→ ${targets.join(', ')}`, style: 'plain' },
    ],
    breaks: 'words',
    hang: events + 1 + HANG,
  };
}

function heading(text: string): SpanLine {
  return { spans: [{ text, style: 'bold' }], breaks: 'words' };
}

function note(text: string): SpanLine {
  return { spans: [{ text, style: 'dim' }] };
}
