import { paletteKey, paletteKeys, resultKeys } from '../palette/palette-keys.ts';
import { intoPastKeys, pastKeys } from '../past/past-keys.ts';
import type { Area } from '../screen/browsing.ts';
import { beneath } from '../screen/focus.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { matching } from '../text/matching.ts';
import { actKeys } from './act-keys.ts';
import type { Binding, KeyName, Situation } from './binding.ts';
import { commonKeys, detailKeys, keysOfHelp, paneFilterKeys, taskKeys } from './browse-keys.ts';
import { decideKeys } from './call-keys.ts';
import { closedKeys } from './closed-keys.ts';
import { namesOf } from './find-binding.ts';
import { toOverview } from './leave-keys.ts';
import { backToSummary, overKeys } from './over-keys.ts';
import { paneFindKeys } from './pane-find.ts';
import { answerKeys, questionKeys } from './question-keys.ts';
import { isBelow, owns, watches } from './shared-keys.ts';

/** The keys of one place, as the help lists them. */
export type HelpSection = { readonly title: string; readonly keys: readonly KeyName[] };

type Place = {
  readonly title: string;
  readonly bindings: readonly Binding[];
  /** Where keys move for it to come first. */
  readonly at?: Area | 'time' | 'over' | 'card' | 'box';
};

const places: readonly Place[] = [
  { title: 'In the list of tasks', bindings: taskKeys, at: 'tasks' },
  { title: 'In the pane beside the tasks', bindings: [...detailKeys, ...paneFindKeys], at: 'detail' },
  { title: 'While a filter is typed', bindings: paneFilterKeys },
  { title: 'While a question waits', bindings: questionKeys, at: 'question' },
  { title: 'To decide about the sprint and the task that is picked', bindings: actKeys },
  { title: 'When the run is over', bindings: [...overKeys, backToSummary], at: 'over' },
  { title: 'Everywhere', bindings: [toOverview, ...commonKeys, paletteKey] },
  { title: 'While keys are listed', bindings: keysOfHelp },
  { title: 'Among the commands', bindings: paletteKeys },
  { title: 'While a command shows what it says', bindings: resultKeys },
  { title: 'In time', bindings: [...intoPastKeys, ...pastKeys], at: 'time' },
  { title: 'In the box of a question', bindings: answerKeys, at: 'box' },
  { title: 'On the card of a call', bindings: decideKeys, at: 'card' },
  { title: 'When somebody else has closed what you were typing for', bindings: closedKeys },
];

/** All keys that a person may want to know of, where keys move first. */
export function helpSections({ state }: Pick<Situation, 'state'>): HelpSection[] {
  const here = placeIn(state);
  const others = othersThan(state);
  return places
    .toSorted((one, other) => Number(other.at === here) - Number(one.at === here))
    .map(({ title, bindings }) => ({
      title,
      keys: namesOf(bindings.filter(({ when }) => !others.includes(when))),
    }));
}

/** The keys that have this in their names, in what they do, or in where they do it. */
export function foundSections(sections: readonly HelpSection[], text: string): HelpSection[] {
  return sections.flatMap(({ title, keys }) => {
    const found = matching(keys, text, ([name, what]) => [name, what, title]);
    return found.length > 0 ? [{ title, keys: found }] : [];
  });
}

/** Where keys move, below their list. */
function placeIn({ past, browsing, focus }: ScreenState): Place['at'] {
  if (past) return 'time';
  switch (beneath(focus).at) {
    case 'over':
      return 'over';
    case 'decide':
    case 'scope':
    case 'batch':
      return 'card';
    case 'answer':
      return 'box';
    default:
      return browsing.area;
  }
}

/**
 * The same, whatever the screen shows.
 *
 * @internal for docs/tui.md
 */
export function allKeys(): HelpSection[] {
  return places.map(({ title, bindings }) => ({ title, keys: namesOf(bindings) }));
}

/** The conditions of keys that are of no use on this screen. */
function othersThan(state: ScreenState): readonly Binding['when'][] {
  return [owns({ state }) ? watches : owns, ...(state.isBelow ? [] : [isBelow])];
}
