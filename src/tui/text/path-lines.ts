import { count } from '../../lib/text/count.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { titleOfType } from '../../views/events/event-title.ts';
import { waysOn, type MachinePath, type PathStep } from '../../views/events/machine-path.ts';
import { diagramLines } from './diagram-lines.ts';
import type { SpanLine } from './spans.ts';

/**
 * The way through a machine: its states and what leads from one to another, where that can be drawn, the transitions that
 * were taken, the latest first, and where it can go from here.
 */
export function pathLines(path: MachinePath, width: number): SpanLine[] {
  const { now, steps, length } = path;
  const ways = waysOn(path).map(([event, targets]) => [titleOfType(event), targets] as const);
  return [
    ...(diagramLines(path, width) ?? [{ spans: [{ text: `▶${now}◀`, style: 'lit' }] }]),
    { spans: [] },
    heading(`How it got here: ${count(length, 'step')}, the latest first`),
    ...(steps.length === 0 ? [note('no step yet')] : steps.map((step) => stepLine(step, widest(steps)))),
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

function widest(steps: readonly PathStep[]): number {
  return Math.max(...steps.map(({ event }) => titleOfType(event).length));
}

/** `×2` where it was taken twice. */
function stepLine({ from, to, event, count: times, time }: PathStep, events: number): SpanLine {
  return {
    spans: [
      { text: `${clockTime(time)} `, style: 'dim' },
      { text: `${titleOfType(event).padEnd(events)} `, style: 'name' },
      { text: `${from} → ${to}`, style: 'plain' },
      ...(times > 1 ? [{ text: ` ×${times}`, style: 'bold' as const }] : []),
    ],
    breaks: 'words',
    hang: HANG,
  };
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
