import type { Effect } from '../../src/tui/screen/screen-effect.ts';

type Act = Extract<Effect, { type: 'act' }>['act'];

/** The command that does the same as what a screen does outside of it. `undefined`: it changes nothing but what is shown. */
export const commandOf: Readonly<Record<Exclude<Effect['type'], 'act'>, string | undefined>> = {
  answer: 'answer',
  reject: 'answer --reject',
  dismiss: 'dismiss',
  approve: 'approve',
  deny: 'deny',
  'decide-all': 'approve --same',
  explain: 'explain',
  edit: 'approve --edit',
  start: 'run',
  'run-again': 'run',
  stop: 'stop',
  // A second Ctrl-C to the run itself.
  kill: 'stop',
  'edit-draft': undefined,
  recall: undefined,
  reveal: undefined,
  travel: undefined,
  play: undefined,
  'to-now': undefined,
  compare: undefined,
  'copy-moment': undefined,
  load: undefined,
  'why-not': undefined,
  slash: undefined,
  'slash-stop': undefined,
  go: undefined,
  detach: undefined,
  suspend: undefined,
  leave: undefined,
};

/** The same of what is decided about a task, or the whole sprint. */
export const commandOfAct: Readonly<Record<Act, string>> = {
  pause: 'pause',
  resume: 'resume',
  retry: 'retry',
  skip: 'skip',
  cancel: 'cancel',
  note: 'note',
  stop: 'stop',
};
