import { hasCursor } from '../panes/pane.ts';
import { currentPane, paneFilter, placeKey, shownTask, type DetailRoom } from '../screen/browsing.ts';
import { indexAt } from '../text/pane-window.ts';
import type { Act, Binding, Situation } from './binding.ts';

/** Lines that stand on the other side of one that was found, where it is read from there. */
const AROUND = 3;

/** Something is to be found in the pane that keys move in. */
const hasWords = ({ state }: Situation) =>
  state.browsing.area === 'detail' &&
  paneFilter(state).text.trim() !== '' &&
  !state.browsing.opened.has(placeKey(state.browsing.pane, shownTask(state)));

/** Goes to the next line that has what is looked for, or the one before, among all lines: from the last on to the first. */
const goToHit =
  (step: 1 | -1): Act =>
  (state, { room: { detail } }) => {
    const { browsing } = state;
    const at = detail && nextHit(detail, browsing.found.get(detail.key), step);
    if (!detail || at === undefined) return state;
    const found = new Map(browsing.found).set(detail.key, at);
    const places = new Map(browsing.places).set(detail.key, placeOf(detail, at));
    return { ...state, browsing: { ...browsing, found, places } };
  };

/** Keys in a pane in which something is looked for. */
export const paneFindKeys: readonly Binding[] = [
  {
    keys: ['n'],
    action: goToHit(1),
    hint: ['n/N', 'the next'],
    help: ['n/N', 'the next or previous line with the text of the filter, among all lines'],
    when: hasWords,
  },
  { keys: ['N'], action: goToHit(-1), when: hasWords },
];

/** The lines that have it are left alone again. */
export const sift: Act = (state) => {
  const { browsing } = state;
  const key = placeKey(currentPane(state).id, shownTask(state));
  const found = new Map([...browsing.found].filter(([each]) => each !== key));
  return { ...state, focus: { at: 'filter' }, browsing: { ...browsing, found } };
};

/** Number of the line. Where none was gone to, the last one comes first where the end is read first. */
function nextHit({ hits, kind }: DetailRoom, found: number | undefined, step: 1 | -1): number | undefined {
  if (found === undefined) return hits.at(kind === 'log' || step === -1 ? -1 : 0)?.at;
  const at = indexAt(hits, found);
  const next = step === 1 && hits[at]?.at === found ? at + 1 : step === 1 ? at : at - 1;
  return hits.at(next >= hits.length ? 0 : next)?.at;
}

/** Where a pane stands that shows a line. */
function placeOf({ kind, all }: DetailRoom, line: number): number {
  if (hasCursor(kind)) return line;
  const at = indexAt(all, line);
  if (kind === 'text') return all[Math.max(0, at - AROUND)]?.at ?? line;
  return all[at + 1 + AROUND]?.at ?? (all.at(-1)?.at ?? line) + 1;
}
