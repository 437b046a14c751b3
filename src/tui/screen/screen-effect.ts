import type { FormAnswer } from '../../events/form/form.ts';
import type { ApprovalScope } from '../../events/approval.ts';
import type { SprintAct, TaskAct } from '../../views/sprints/possible-acts.ts';
import type { CommandEffect } from '../palette/palette-state.ts';
import type { Travel } from '../past/past.ts';
import type { ContentVersion } from './browsing.ts';
import type { DraftPlace, StopKey } from './focus.ts';
import type { LookedAtFiles } from '../feed/look-at-files.ts';

/** What was on the screen, in short, of what calls would make of files, by the ids of their requests. Absent: nothing. */
type Seen = LookedAtFiles['seen'];

/** What a screen has done outside of it. */
export type Effect =
  | CommandEffect
  | {
      readonly type: 'answer';
      readonly id: string;
      readonly response?: string;
      readonly option?: number | undefined;
      /** Of a form, in place of `response`. */
      readonly answers?: readonly FormAnswer[];
    }
  /** Have a question put in other words. */
  | { readonly type: 'rephrase'; readonly id: string; readonly how: string }
  | { readonly type: 'reject'; readonly id: string; readonly reason: string }
  | { readonly type: 'dismiss'; readonly id: string }
  | { readonly type: 'approve'; readonly id: string; readonly scope: ApprovalScope; readonly seen?: Seen }
  /** Allow each of these calls, or refuse each. */
  | {
      readonly type: 'decide-all';
      readonly ids: readonly string[];
      readonly verdict: 'approved' | 'denied';
      readonly reason?: string | undefined;
      readonly seen?: Seen;
    }
  | { readonly type: 'deny'; readonly id: string; readonly reason?: string | undefined }
  /** Send a call back with a question. */
  | { readonly type: 'explain'; readonly id: string; readonly question: string }
  /** Allow a call as this text makes it. */
  | { readonly type: 'edit'; readonly id: string; readonly text: string; readonly seen?: Seen }
  /** Get the whole arguments of a call. */
  | { readonly type: 'reveal'; readonly id: string }
  /** Go to another time. */
  | { readonly type: 'travel'; readonly travel: Travel }
  /** Play what is recorded, so many times as fast; `undefined`: stop. */
  | { readonly type: 'play'; readonly speed: number | undefined }
  /** It is now again: what is on its way to another time is not shown. */
  | { readonly type: 'to-now' }
  /** Find out what changed between two versions. */
  | { readonly type: 'compare'; readonly versions: readonly [number, number] }
  /** Copy the command that opens this moment. */
  | { readonly type: 'copy-moment' }
  /** Copy the command that prints what the run took. */
  | { readonly type: 'copy-report' }
  /** Read what a pane shows of a task. */
  | {
      readonly type: 'load';
      readonly pane: string;
      readonly task: string;
      readonly wanted: ContentVersion;
    }
  /** Decide about a task; without one, about the sprint. */
  | {
      readonly type: 'act';
      readonly act: TaskAct | SprintAct | 'stop';
      readonly task?: string | undefined;
      readonly reason?: string | undefined;
    }
  /** Leave for another sprint. */
  | { readonly type: 'go'; readonly sprint: string }
  /** Ask whether the sprint is to be run, or say why it cannot be. */
  | { readonly type: 'ask-start' }
  /** Leave, and run the sprint that nobody runs. */
  | { readonly type: 'start' }
  /** Say why that cannot be decided now, and decide nothing. */
  | { readonly type: 'why-not'; readonly act: TaskAct | SprintAct; readonly task?: string | undefined }
  /** Stop the sprint: which key said so. */
  | { readonly type: 'stop'; readonly key: StopKey }
  /** End the agents that are being stopped at once. */
  | { readonly type: 'kill' }
  /** Run the sprint again, and retry what failed before that. */
  | { readonly type: 'run-again'; readonly retries: boolean }
  /** Leave the screen, and let the run go on. */
  | { readonly type: 'detach' }
  /** Look up what was answered before, for the box of a question. */
  | { readonly type: 'recall'; readonly id: string }
  /** Open an editor on what stands in a box. */
  | { readonly type: 'edit-draft'; readonly at: DraftPlace; readonly text: string }
  /** Give the terminal back to the shell until it says that the screen goes on. */
  | { readonly type: 'suspend' }
  /** Leave at once. */
  | { readonly type: 'leave' };
