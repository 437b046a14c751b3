import type { Project } from '../../workflow/project/project.ts';
import type { Env } from '../../workflow/project/who-calls.ts';
import type { OpenRemote } from './open-channels.ts';
import type { Timing } from './timing.ts';

/** What a channel is used with. */
export type WorkerParts = {
  readonly project: Project;
  readonly env: Env;
  readonly remote: OpenRemote;
  /** When somebody looked at a screen of the project last, ms since the epoch. */
  readonly lookedAt: () => number | undefined;
  /** Whether answers are read there now. */
  readonly isListening: () => boolean;
  /** Where a person sees a request, or a sprint; no right to answer is in it. */
  readonly linkTo: (stream: string, request: string | undefined) => string | undefined;
  /** Told, in a line, that a channel does not work. */
  readonly report: (problem: string) => void;
  readonly timing: Timing;
};
