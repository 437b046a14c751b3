import { paletteKey, paletteKeys, resultKeys } from '../palette/palette-keys.ts';
import { intoPastKeys, pastKeys } from '../past/past-keys.ts';
import type { Area } from '../screen/browsing.ts';
import { beneath } from '../screen/focus.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { matching } from '../text/matching.ts';
import { actKeys, mayBegin } from './act-keys.ts';
import type { Binding, KeyName, Situation } from './binding.ts';
import { commonKeys, detailKeys, keysOfHelp, paneFilterKeys, taskKeys } from './browse-keys.ts';
import { decideKeys } from './call-keys.ts';
import { closedKeys } from './closed-keys.ts';
import { namesOf } from './find-binding.ts';
import { toOverview } from './leave-keys.ts';
import { backToSummary, overKeys } from './over-keys.ts';
import { paneFindKeys } from './pane-find.ts';
import { answerKeys, questionKeys } from './question-keys.ts';
import { asks, asksAboutCall, isBelow, owns, watches } from './shared-keys.ts';

/** The keys of one place, as the help lists them. */
export type HelpSection = { readonly title: string; readonly keys: readonly KeyName[] };

type Here = Area | 'time' | 'over' | 'card' | 'box' | 'result';

type Place = {
  readonly title: string;
  readonly bindings: readonly Binding[];
  /** Where keys move for it to come first. */
  readonly at?: Here;
  /** Whether it is a key or two away from there. Default: no. */
  readonly isNear?: (now: Pick<Situation, 'state'>) => boolean;
};

const isNow = ({ state }: Pick<Situation, 'state'>) => state.past === undefined;
const always = () => true;

const EVERYWHERE = 'Everywhere';

const places: readonly Place[] = [
  { title: 'In the list of tasks', bindings: taskKeys, at: 'tasks', isNear: always },
  {
    title: 'In the pane beside the tasks',
    bindings: [...detailKeys, ...paneFindKeys],
    at: 'detail',
    isNear: always,
  },
  { title: 'While a filter is typed', bindings: paneFilterKeys },
  { title: 'While a question waits', bindings: questionKeys, at: 'question', isNear: asks },
  {
    title: 'To decide about the sprint and the task that is picked',
    bindings: actKeys,
    isNear: isNow,
  },
  {
    title: 'When the run is over',
    bindings: [...overKeys, backToSummary],
    at: 'over',
    isNear: ({ state }) => state.summary !== undefined,
  },
  { title: EVERYWHERE, bindings: [toOverview, ...commonKeys, paletteKey], isNear: always },
  { title: 'While keys are listed', bindings: keysOfHelp },
  { title: 'Among the commands', bindings: paletteKeys },
  { title: 'While a command shows what it says', bindings: resultKeys, at: 'result' },
  { title: 'From now into the past', bindings: intoPastKeys, isNear: isNow },
  { title: 'In the past', bindings: pastKeys, at: 'time' },
  { title: 'In the box of a question', bindings: answerKeys, at: 'box', isNear: asks },
  { title: 'On the card of a call', bindings: decideKeys, at: 'card', isNear: asksAboutCall },
  { title: 'When somebody else has closed what you were typing for', bindings: closedKeys },
];

/**
 * The keys that have this in their names, in what they do, or in where they do it; without a text, those that are of use where
 * keys move now, and near it. Where keys move comes first.
 */
export function helpSections(now: Pick<Situation, 'state'>, text = ''): HelpSection[] {
  const here = placeIn(now.state);
  const others = othersThan(now.state);
  const listed = text === '' ? places.filter(({ at, isNear }) => at === here || isNear?.(now)) : places;
  const sections = listed
    .toSorted((one, other) => Number(other.at === here) - Number(one.at === here))
    .map(({ title, bindings }) => ({
      title,
      keys: namesOf(bindings.filter(({ when }) => !others.includes(when))),
    }));
  return foundSections(text === '' ? eachOnce(sections) : sections, text);
}

/** What a key does everywhere is said there, and not in the places again where it does the same. */
function eachOnce(sections: readonly HelpSection[]): readonly HelpSection[] {
  const everywhere = sections.find(({ title }) => title === EVERYWHERE)?.keys ?? [];
  const isSaid = ([name, what]: KeyName) =>
    everywhere.some(([key, does]) => key === name && does.split(', or ').includes(what));
  return sections.map((section) =>
    section.title === EVERYWHERE ? section : { ...section, keys: section.keys.filter((key) => !isSaid(key)) },
  );
}

/** The keys of these that have this in their names, in what they do, or in where they do it. */
export function foundSections(sections: readonly HelpSection[], text: string): HelpSection[] {
  return sections.flatMap(({ title, keys }) => {
    const found = matching(keys, text, ([name, what]) => [name, what, title]);
    return found.length > 0 ? [{ title, keys: found }] : [];
  });
}

/** Where keys move, below their list. */
function placeIn({ past, browsing, focus }: ScreenState): Here {
  const { at } = beneath(focus);
  if (at === 'result') return at;
  if (past) return 'time';
  switch (at) {
    case 'over':
      return at;
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

/** The conditions of keys that are of no use on this screen, wherever keys move. */
function othersThan(state: ScreenState): readonly Binding['when'][] {
  const others = [owns, watches, mayBegin].filter((holds) => !holds({ state }));
  return state.isBelow ? others : [...others, isBelow];
}
