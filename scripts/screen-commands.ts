import type { OverviewEffect } from '../src/tui/overview/overview-state.ts';
import type { Effect } from '../src/tui/screen/screen-effect.ts';

/** What a screen does or shows, and the command that does or shows the same. `none`: why there is none. */
type Done = { readonly does: string } & ({ readonly as: string } | { readonly none: string });

type Act = Extract<Effect, { type: 'act' }>['act'];

const onlyShown = { does: 'what is shown', none: 'it changes nothing but what is shown' } as const;

/** What a screen does outside of it. */
const ofEffects: Readonly<Record<Exclude<Effect['type'], 'act'>, Done>> = {
  answer: { does: 'answer a question', as: 'answer' },
  reject: { does: 'turn a question down', as: 'answer --reject' },
  rephrase: { does: 'ask for a question in other words', as: 'answer --rephrase' },
  dismiss: { does: 'close a question without an answer', as: 'dismiss' },
  approve: { does: 'allow a call, once or for more', as: 'approve --scope' },
  deny: { does: 'deny a call', as: 'deny' },
  'decide-all': { does: 'decide all calls that are alike', as: 'approve --same' },
  explain: { does: 'send a call back with a question', as: 'explain' },
  edit: { does: 'change a call, and allow it so', as: 'approve --edit' },
  reveal: { does: 'show what is hidden of a call', as: 'questions --reveal' },
  recall: { does: 'look up earlier answers', as: 'questions --all' },
  'ask-start': onlyShown,
  start: { does: 'run a sprint', as: 'run' },
  'run-again': { does: 'go on with a run', as: 'run' },
  stop: { does: 'stop a run', as: 'stop' },
  // A second Ctrl-C to the run itself.
  kill: { does: 'stop a run', as: 'stop' },
  travel: { does: 'go to a moment of the past', as: 'replay --until' },
  compare: { does: 'show what has changed between two moments', as: 'replay --changes-since' },
  go: { does: 'go to a sprint', as: 'status' },
  'to-now': { does: 'go to a sprint', as: 'status' },
  play: onlyShown,
  'edit-draft': onlyShown,
  'copy-moment': { does: 'copy a command', none: 'it is the command that is copied' },
  'copy-report': { does: 'copy a command', none: 'it is the command that is copied' },
  load: { does: 'read a pane', none: 'each pane has its own' },
  'why-not': { does: 'say why not', none: 'the command that would do it says so' },
  slash: { does: 'run a command', none: 'it is one' },
  'slash-stop': { does: 'end a command', none: 'Ctrl-C' },
  detach: onlyShown,
  suspend: onlyShown,
  leave: onlyShown,
};

/** What is decided about a task, or the whole sprint. */
const ofActs: Readonly<Record<Act, Done>> = {
  pause: { does: 'pause a sprint', as: 'pause' },
  resume: { does: 'resume a sprint', as: 'resume' },
  retry: { does: 'retry a task', as: 'retry' },
  skip: { does: 'leave a task out', as: 'skip' },
  cancel: { does: 'end a task, or a sprint, for good', as: 'cancel' },
  note: { does: 'tell the agent of a task something', as: 'note' },
  stop: { does: 'stop a run', as: 'stop' },
};

/** What the overview of all sprints leads to. */
const ofOverview: Readonly<Record<OverviewEffect['type'], Done>> = {
  enter: { does: 'go to a sprint', as: 'status' },
  run: { does: 'run a sprint', as: 'run' },
  leave: onlyShown,
  suspend: onlyShown,
  slash: { does: 'run a command', none: 'it is one' },
  'slash-stop': { does: 'end a command', none: 'Ctrl-C' },
};

/** What is shown of a task, by the id of its pane. */
export const ofPanes: Readonly<Record<string, Done>> = {
  output: { does: 'Output: what the agents of a task wrote', as: 'export' },
  task: { does: 'Task', none: 'it is the file of the task' },
  changes: { does: 'Changes: the files that a task changed', as: 'task changes' },
  events: { does: 'Events: what the log has', as: 'replay' },
  calls: { does: 'Calls: the tools that were called', as: 'replay' },
  states: { does: 'States: the way of a task', as: 'replay' },
};

/** What stands beside them. */
const ofParts: readonly Done[] = [
  { does: 'all sprints, and the tasks of one', as: 'status' },
  { does: 'what waits for you', as: 'questions' },
  { does: 'the summary at the end', as: 'replay --summary' },
];

/** All of it. */
export const allDone: readonly Done[] = [
  ...ofParts,
  ...Object.values(ofPanes),
  ...Object.values(ofEffects),
  ...Object.values(ofActs),
  ...Object.values(ofOverview),
];

/** What is done or shown, and the command line that does the same for programs; each once. */
export function commandRows(): readonly (readonly [does: string, command: string])[] {
  const rows = allDone.flatMap((done): (readonly [string, string])[] =>
    'as' in done ? [[done.does, `clifford ${done.as} --json`]] : [],
  );
  return [...new Map(rows)];
}
