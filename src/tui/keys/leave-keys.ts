import type { Binding, Situation } from './binding.ts';
import { openHelpUnnamed } from './open-help.ts';
import { isBelow, isStopping, owns, watches } from './shared-keys.ts';

/** The way back to the overview of all sprints. */
export const toOverview: Binding = {
  keys: ['escape'],
  action: 'stop',
  hint: ['Esc', 'overview'],
  when: isBelow,
};

/** The ways out, where nothing is typed. */
export const leaveKeys: readonly Binding[] = [
  { keys: ['q'], action: 'stop', hint: ['q', 'stop'], when: (now) => owns(now) && !isStopping(now) },
  { keys: ['q'], action: 'stop', hint: ['q', 'leave'], when: watches },
  // It is being stopped already.
  { keys: ['q'], action: 'stop' },
  {
    keys: ['ctrl+c'],
    action: 'force',
    help: ['^C', 'clear what is typed, close a box; then stop, or leave'],
  },
];

/** What every place has. */
export const suspendKey: Binding = {
  keys: ['ctrl+z'],
  action: 'suspend',
  help: ['^Z', 'back to the shell, until fg'],
};

const isArmed = ({ state: { focus } }: Situation) => focus.at === 'stop' && focus.isArmed;

/** Keys while it is asked what becomes of the run. */
export const stopKeys: readonly Binding[] = [
  { keys: ['q'], action: 'stop-surely', hint: ['q', 'stop it'], when: isArmed },
  { keys: ['g'], action: 'detach', hint: ['g', 'go on without the screen'], when: isArmed },
  { keys: ['n', 'escape'], action: 'go-on', hint: ['Esc', 'stay'] },
  openHelpUnnamed,
  { keys: ['ctrl+c'], action: 'force', hint: ['^C', 'stop it'] },
];
