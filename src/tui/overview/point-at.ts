import type { Pointed } from '../mouse/mouse-areas.ts';
import type { OverviewContext } from './overview-binding.ts';
import { overviewAction } from './overview-keys.ts';
import type { OverviewState } from './overview-state.ts';

/** The overview after the mouse was used on it: it picks and scrolls, and goes nowhere. */
export function pointAt(
  state: OverviewState,
  { how, part, item }: Pointed,
  context: OverviewContext,
): OverviewState {
  const { at } = state.focus;
  const turned = (now: OverviewState) =>
    how === 'click' ? now : (overviewAction(how, now)?.(now, context) ?? now);
  if (at === 'help' || at === 'result') return turned(turned(turned(state)));
  if ((at !== 'lists' && at !== 'filter') || (part !== 'sprints' && part !== 'inbox')) return state;
  const there: OverviewState = { ...state, area: part, notice: undefined };
  if (how !== 'click') return turned(there);
  if (typeof item !== 'string') return there;
  return part === 'inbox' ? { ...there, request: item } : { ...there, sprint: item };
}
