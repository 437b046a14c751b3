import type { RequestState } from '../../machines/project-state.ts';
import type { Offers, Revealed } from '../../views/calls/call-card.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Answerer, CloseOutcome } from '../../workflow/requests/close-request.ts';
import type { RunCommand } from '../palette/run-commands.ts';
import type { Travel } from '../past/past.ts';
import type { TypedLine } from '../past/time-travel.ts';
import type { AgentOutput } from '../text/agent-output.ts';
import type { OpenEditor } from '../drafts/editing.tsx';
import type { StopKey } from './focus.ts';
import type { ScreenLook } from '../terminal/screen-look.ts';
import type { Commands, Notice } from './screen-state.ts';

/** What a screen needs. */
export type ShowSprintOptions = {
  readonly project: Project;
  /** The sprint's stream. */
  readonly stream: string;
  /** True in `run`, where leaving means stopping; false in `attach`. */
  readonly owner: boolean;
  /** False in the shell of an agent, which may watch, answer and deny, but allow no call. Default: true. */
  readonly mayApprove?: boolean;
  /** The whole arguments of a call that waits; `undefined`: nobody has them any more. */
  readonly reveal: (request: RequestState) => Promise<Revealed | undefined>;
  /** Allows a call as this text makes it. @throws {CliffordError} when it cannot be: the call waits on. */
  readonly edit: (request: RequestState, text: string, answerer: Answerer) => Promise<CloseOutcome>;
  /** Has the person write what stands in a box. Default: nobody can. */
  readonly openEditor?: OpenEditor;
  /** What the cards of these calls offer beside yes and no. */
  readonly offersFor: (waiting: readonly RequestState[]) => Promise<Offers>;
  /** The command lines of these calls, taken apart. Default: none are. */
  readonly partsOf?: (waiting: readonly RequestState[]) => Promise<Commands>;
  /** Ends the agents that a runner which is gone has left at work, of one task or of all. Default: there are none. */
  readonly endLeftAgents?: (of: { readonly taskId: string | undefined }) => Promise<LeftAgents>;
  /** Called whenever keys are pressed, or text is pasted. */
  readonly onKey?: (() => void) | undefined;
  /** Called when the screen is suspended, and when it is there again. */
  readonly onAway?: ((isAway: boolean) => void) | undefined;
  /** The human in front of it, as the author of answers. */
  readonly by: string;
  readonly output: AgentOutput;
  /** The moment of the past that it begins with. Default: now. */
  readonly startsAt?: Travel | undefined;
  /** Settles when the sprint's run is over: the screen shows how it ended, and stays, or leaves. */
  readonly ended?: Promise<RunOver>;
  /** Runs the sprint again, once its run is over. */
  readonly runAgain?: () => Promise<RunOver>;
  /** Aborts when the process is told to end: a screen that has stayed leaves then. */
  readonly signal?: AbortSignal;
  /** Id of the request to begin with, where it is still open. Default: the first. */
  readonly question?: string | undefined;
  /** It was opened from the overview of all sprints: Esc leads back there, too. */
  readonly isBelow?: boolean;
  /** What its project is called, where it is one of several. */
  readonly among?: string | undefined;
  /** What is said first. */
  readonly notice?: Notice | undefined;
  /** How it looks. Default: as the environment says. */
  readonly look?: ScreenLook | undefined;
  /** Whoever shows it runs the sprint when it was left because of `start`. */
  readonly startsRuns?: boolean;
  /** What that starts, in lines. Default: nobody says it. */
  readonly startsWhat?: () => Promise<readonly string[]>;
  /** The person goes to another sprint: the screen is left. Default: they can go to none. */
  readonly onGo?: (sprint: string) => void;
  /** A command of Clifford as the person can type it, wherever they paste it. Default: as where `clifford` is installed. */
  readonly typedLine?: TypedLine;
  /** Runs a command of our own that reads only, for the palette. */
  readonly runCommand?: RunCommand;
  /** Stops the sprint, because of this key. Resolves when the agents are gone. */
  readonly onStop: (key: StopKey) => Promise<void>;
  /** Ends the agents that are being stopped at once. */
  readonly onKill?: () => void;
  /** How long agents that are stopped may take to end, in ms. Default: nothing is said of it. */
  readonly graceMs?: number;
  readonly stdin?: NodeJS.ReadStream;
  readonly stdout?: NodeJS.WriteStream;
};

/** How many agents without a runner were ended, and what there is to say of that, a line each. */
type LeftAgents = { readonly count: number; readonly said: readonly string[] };

/** Whether a screen stays whose run is over. */
export type RunOver = { readonly stays: boolean };

/** Why a screen was left: the sprint was stopped from it, the human went, goes on without it, wants it run, or the sprint's run is over. */
export type LeftBecause = 'stopped' | 'left' | 'detached' | 'start' | 'ended';
