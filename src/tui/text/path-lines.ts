import { count } from '../../lib/text/count.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { waysOn, type MachinePath, type PathStep } from '../../views/machine-path.ts';
import { diagramLines } from './diagram-lines.ts';
import type { SpanLine } from './spans.ts';

/**
 * The way through a machine: its states and what leads from one to another, where that can be drawn, the transitions that
 * were taken, the latest first, and where it can go from here.
 */
export function pathLines(path: MachinePath, width: number): SpanLine[] {
  const { now, steps, length } = path;
  const ways = waysOn(path);
  return [
    ...(diagramLines(path, width) ?? [{ spans: [{ text: `▶${now}◀`, style: 'lit' }] }]),
    { spans: [] },
    heading(`The way here: ${count(length, 'step')}, the latest first`),
    ...(steps.length === 0 ? [note('none yet')] : steps.map(stepLine)),
    { spans: [] },
    heading('The ways on'),
    ...(ways.length === 0 ? [note('none')] : ways.map(([event, targets]) => wayLine(event, targets))),
  ];
}

const HANG = 2;

function stepLine({ from, to, event, count: times, time }: PathStep): SpanLine {
  return {
    spans: [
      { text: `${clockTime(time)} `, style: 'dim' },
      { text: `×${times} `, style: 'bold' },
      { text: `${event} `, style: 'name' },
      { text: `${from} → ${to}`, style: 'plain' },
    ],
    breaks: 'words',
    hang: HANG,
  };
}

function wayLine(event: string, targets: readonly string[]): SpanLine {
  return {
    spans: [
      { text: `${event} `, style: 'dim' },
      { text: `→ ${targets.join(', ')}`, style: 'plain' },
    ],
    breaks: 'words',
    hang: HANG,
  };
}

function heading(text: string): SpanLine {
  return { spans: [{ text, style: 'bold' }], breaks: 'words' };
}

function note(text: string): SpanLine {
  return { spans: [{ text, style: 'dim' }] };
}
