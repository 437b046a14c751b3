import type { Pane } from '../panes/pane.ts';
import { contentKey, currentPane, shownTask } from '../screen/browsing.ts';
import type { Effect } from '../screen/screen-effect.ts';
import type { ScreenEvent } from '../screen/screen-event.ts';
import type { ScreenState } from '../screen/screen-state.ts';

/** Has read what the pane shows, unless that is known or being read. */
export function withContent(state: ScreenState, emit: (effect: Effect) => void): ScreenState {
  const { browsing, past } = state;
  const { id, isLive, follows } = currentPane(state);
  const task = shownTask(state);
  if ((isLive && !past) || task === undefined) return state;
  const key = contentKey(state, task);
  const version = past ? `@${past.moment.version}` : contentVersion(state, follows);
  if (browsing.loading?.key === key) return state;
  if (browsing.content?.key === key && browsing.content.version === version) return withoutLoading(state);
  const wanted = { key, version };
  emit({ type: 'load', pane: id, task, wanted });
  return { ...state, browsing: { ...browsing, loading: wanted } };
}

/** As old as what it is made of. */
function contentVersion(
  { sprint, outputVersion, filesVersion, processes }: ScreenState,
  follows: Pane['follows'] = 'events',
): string {
  const other = { events: '', files: ` ${filesVersion} ${processes.gone.size}`, work: ` ${outputVersion}` }[
    follows
  ];
  return `${sprint.version}${other}`;
}

/** It is there already: what else is still being read must not take its place. */
function withoutLoading(state: ScreenState): ScreenState {
  const { browsing } = state;
  return browsing.loading ? { ...state, browsing: { ...browsing, loading: undefined } } : state;
}

/** What the person has left meanwhile is not shown. */
export function takeLoaded(
  state: ScreenState,
  { loaded }: Extract<ScreenEvent, { type: 'loaded' }>,
): ScreenState {
  const { browsing } = state;
  if (browsing.loading?.key !== loaded.key) return state;
  return { ...state, browsing: { ...browsing, loading: undefined, content: loaded } };
}
