/** Keys, what the screen shows then, and what a picture of that is called. Without a name none is taken. */
export type Scene = {
  readonly keys?: string;
  readonly sees: string | RegExp;
  readonly name?: string;
};

const ESC = '\u001B';
const LEFT = '\u001B[D';
const SHIFT_LEFT = '\u001B[1;2D';

/** The demo's sprint, from its question to its summary, and each pane of a task. */
export const scenesOfRun: readonly Scene[] = [
  { sees: /Enter answer/, name: 'question' },
  { keys: '2', sees: 'Sends option 2' },
  { keys: '\r', sees: /Y allow once/, name: 'approval' },
  { keys: 'y', sees: '── Summary', name: 'summary' },
  { keys: '\r', sees: /\[1 Out/ },
  { keys: '\u001B[A', sees: /›✔ done +program/, name: 'output' },
  { keys: '2', sees: /\[2 Task\]/, name: 'task' },
  { keys: '3', sees: /\[3 (?:Changes|Diff)\]/, name: 'changes' },
  { keys: '\r', sees: '@@', name: 'difference' },
  { keys: ESC, sees: /files?, \+/ },
  { keys: '4', sees: /\[4 Events?\]/, name: 'events' },
  { keys: '\r', sees: /Id +\S/, name: 'event' },
  { keys: ESC, sees: 'Task committed' },
  { keys: '5', sees: /\[5 Calls?\]/, name: 'calls' },
  { keys: '\r', sees: 'Arguments', name: 'call' },
  { keys: ESC, sees: 'get_sprint' },
  { keys: '6', sees: /\[6 States?\]/, name: 'states' },
  { keys: '?', sees: '── Keys', name: 'help' },
  { keys: ESC, sees: /\[6 States?\]/ },
  { keys: ':', sees: '── Commands', name: 'palette' },
  { keys: '/status', sees: '> /status' },
  { keys: '\r', sees: /── clifford status[^]*3 of 3 tasks done/, name: 'result' },
];

/** The same sprint, seen again. */
export const scenesOfPast: readonly Scene[] = [
  { sees: /event \d+ of/ },
  { keys: SHIFT_LEFT, sees: /event \d+ of/ },
  { keys: SHIFT_LEFT, sees: /event \d+ of/ },
  { keys: LEFT, sees: /event \d+ of/, name: 'past' },
  { keys: 'd', sees: 'is marked' },
  { keys: SHIFT_LEFT, sees: 'is marked' },
  { keys: 'd', sees: 'From event', name: 'comparison' },
];

/** All sprints. */
export const scenesOfOverview: readonly Scene[] = [{ sees: 'Log in with a passkey', name: 'overview' }];

const UP = '\u001B[A';
const DOWN = '\u001B[B';
const HOME = '\u001B[H';

/** A busy sprint: what waits, each pane of a task, and what stands in place of them. Also on narrow screens. */
export const scenesOfBusySprint: readonly Scene[] = [
  { sees: /Y allow once|Read it all/, name: 'busy-approval' },
  { keys: ESC, sees: /decide/ },
  { keys: 'n', sees: /answer/, name: 'busy-question' },
  { keys: `\t${HOME}${DOWN}`, sees: /›✔ done +invoice-api/, name: 'busy-list' },
  { keys: '1', sees: /Out/, name: 'busy-output' },
  { keys: '2', sees: /(?:2 |── )Tas/, name: 'busy-task' },
  { keys: '3', sees: /(?:3 |── )(?:Cha|Dif)/, name: 'busy-changes' },
  { keys: '4', sees: /(?:4 |── )Eve/, name: 'busy-events' },
  { keys: `${UP.repeat(6)}\r`, sees: /Number +\d/, name: 'busy-event' },
  { keys: ESC, sees: /Eve/ },
  { keys: '5', sees: /(?:5 |── )Cal/, name: 'busy-calls' },
  { keys: '\r', sees: /Cal/, name: 'busy-call' },
  { keys: ESC, sees: /Cal/ },
  { keys: '6', sees: /(?:6 |── )Sta/, name: 'busy-states' },
  { keys: '?', sees: '── Keys', name: 'busy-help' },
  { keys: ESC, sees: /Sta/ },
  { keys: ':', sees: '── Commands', name: 'busy-palette' },
  { keys: 'task pay', sees: 'payments-webhook', name: 'busy-palette-typed' },
  { keys: '\r', sees: /›■ blocked +payments/ },
  { keys: 'X', sees: /eason/, name: 'busy-cancel' },
];

/** A card of each kind: a command, calls that are alike, an edit, and a form. */
export const scenesOfCards: readonly Scene[] = [
  { sees: /Y allow once|Read it all/, name: 'card-command' },
  { keys: '\t', sees: 'publish packages/page', name: 'card-alike' },
  { keys: 's', sees: /1 of 3/, name: 'card-batch' },
  // The list has that line, too: what is pressed before it is gone is part of the escape.
  { keys: ESC, sees: /^(?![^]*1 of 3)[^]*publish packages\/page/ },
  { keys: '\t', sees: 'packages/server' },
  { keys: '\t', sees: 'packages/worker' },
  { keys: '\t', sees: 'src/invoices.ts', name: 'card-edit' },
  { keys: '\t', sees: 'tax adviser', name: 'card-form' },
];

/** A sprint whose agent fails. */
export const scenesOfFailure: readonly Scene[] = [{ sees: '── Summary', name: 'failed' }];

/** All sprints, some of which wait for somebody. */
export const scenesOfBusyOverview: readonly Scene[] = [
  { sees: 'Waits for you', name: 'busy-inbox' },
  { keys: '\t', sees: 'Sprints', name: 'busy-overview' },
  { keys: '?', sees: 'Keys', name: 'busy-overview-help' },
];

/** A folder in which nothing was begun. */
export const scenesOfNothing: readonly Scene[] = [{ sees: 'clifford init', name: 'no-project' }];
