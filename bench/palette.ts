import { paletteItems } from '../src/tui/palette/palette-items.ts';
import { initialState, type ScreenState } from '../src/tui/screen/screen-state.ts';
import { emptyBuffer, insert } from '../src/tui/text/text-buffer.ts';
import { aSprint, aTask } from '../test/helpers/screen-views.ts';
import { median } from './support/measure.ts';
import { printTable } from './support/table.ts';

/**
 * What a key costs in the palette over a sprint of 10,000 tasks: `npx node bench/palette.ts [rounds]`. Of a processor, as
 * a key waits for nothing else here.
 */
const rounds = Number(process.argv[2] ?? 30);
const TASKS = 10_000;
const TEXTS = ['task 42', 'checkout', 'ts9', 'retry', 'x-17'];

const ids = Array.from({ length: TASKS }, (_, n) => `checkout-${n}-parser`);
const watched = initialState({ isOwner: false, sprint: sprintNow(), sprints: ['sprint-1', 'sprint-2'] });

const key: number[] = [];
const drawing: number[] = [];
const news: number[] = [];
for (let round = 0; round <= rounds; round += 1) {
  for (const text of TEXTS) {
    for (let length = 1; length <= text.length; length += 1) {
      const typed = withText(watched, text.slice(0, length));
      key.push(processorMs(() => look(typed)));
      drawing.push(processorMs(() => look({ ...typed, notice: undefined })));
    }
  }
  const told = withText({ ...watched, sprint: sprintNow() }, 'x');
  news.push(processorMs(() => look(told)));
  // The first round warms up.
  if (round === 0) for (const times of [key, drawing, news]) times.length = 0;
}

const reached = printTable(`The palette over ${TASKS.toLocaleString('en')} tasks, of a processor`, [
  row('a key, against 5 ms', key, 5),
  row('a drawing after it, against 5 ms', drawing, 5),
  row('what happens meanwhile, against 5 ms', news, 5),
]);
process.exitCode = reached ? 0 : 1;

function row(what: string, times: number[], reach: number) {
  const figure = `${median(times).toFixed(2)} ms (worst ${Math.max(...times).toFixed(1)} ms)`;
  return { what, figure, ratio: median(times) / reach, reach: { 'at-most': 1 } } as const;
}

function sprintNow() {
  return aSprint({ tasks: ids.map((id) => aTask({ id })) });
}

function withText(state: ScreenState, text: string): ScreenState {
  const draft = insert(emptyBuffer, text);
  return { ...state, focus: { at: 'palette', draft, picked: 0, back: 'sprint' } };
}

function look(state: ScreenState): void {
  paletteItems({ state, canScrollQuestion: false });
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
