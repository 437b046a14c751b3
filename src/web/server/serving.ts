import type { Processes } from '../../views/sprints/sprint-status.ts';
import type { SprintRows } from '../../views/sprints/sprint-rows.ts';
import type { PastOutput } from '../../workflow/transcripts/past-output.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Env, PlaceOfWork } from '../../workflow/project/who-calls.ts';
import type { WatchedSprints } from '../../workflow/sprint/watched-sprints.ts';
import type { CallExtras } from './call-extras.ts';
import type { Histories } from './histories.ts';
import type { TaskTitles } from './task-titles.ts';

/** A project that is served among others. */
export type Among = {
  /** What it is called there. */
  readonly name: string;
  /** Where all of them are listed, as an address from its page. */
  readonly list: string;
  /** All of them, this one included: an agent of any could have made a connection of which that cannot be told. */
  readonly places: () => readonly PlaceOfWork[];
};

/** What handlers work with: one for each project. */
export type Serving = {
  /** Records as `/clifford/web`. */
  readonly project: Project;
  /** `undefined`: it is the only one. */
  readonly among: Among | undefined;
  readonly env: Env;
  /** Of the program. */
  readonly version: string;
  readonly processes: Processes;
  /** What a person types in front of a command about it: `clifford`, with its name where there are others. */
  readonly called: string;
  readonly sprints: WatchedSprints;
  readonly rows: SprintRows;
  readonly titles: TaskTitles;
  readonly output: PastOutput;
  readonly histories: Histories;
  readonly extras: CallExtras;
  /** A yes that stands from now on is taken from other machines, too. */
  readonly allowsAlways: boolean;
};
