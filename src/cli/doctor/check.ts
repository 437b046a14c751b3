import { CliffordError } from '../../errors.ts';

/** How one thing stands. `absent`: it is not there, and need not be. */
export type CheckStatus = 'good' | 'warning' | 'broken' | 'absent';

/** One thing that was looked at. */
export type Check = {
  /** Stable, for programs: `disk`, `agent:codex`. */
  readonly name: string;
  readonly status: CheckStatus;
  /** What was found, in one line. */
  readonly text: string;
  /** The next action, where there is something to mend. */
  readonly fix?: string | undefined;
  /** The same for programs, where there is more to say. */
  readonly facts?: Facts | undefined;
};

type Facts = Readonly<Record<string, unknown>>;

export function good(name: string, text: string, facts?: Facts): Check {
  return { name, status: 'good', text, facts };
}

export function warning(name: string, text: string, fix: string, facts?: Facts): Check {
  return { name, status: 'warning', text, fix, facts };
}

export function broken(name: string, text: string, fix: string, facts?: Facts): Check {
  return { name, status: 'broken', text, fix, facts };
}

export function absent(name: string, text: string, fix?: string): Check {
  return { name, status: 'absent', text, fix };
}

/** What an error of Clifford's says. Any other is thrown on. */
export function brokenBy(name: string, error: unknown): Check {
  if (!(error instanceof CliffordError)) throw error;
  return broken(name, error.message, error.fix);
}

/** What checks are made with. */
export type DoctorContext = {
  /** The project's root, absolute. */
  readonly root: string;
  /** Where the command was typed. */
  readonly cwd: string;
  /** The project's `.clifford/`; `undefined`: it has none yet. */
  readonly stateDir: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when nobody waits for the result any more: what was started is ended. */
  readonly signal: AbortSignal;
  readonly stdin: { readonly isTTY?: boolean | undefined };
  readonly stdout: {
    readonly isTTY?: boolean | undefined;
    readonly columns?: number | undefined;
    readonly rows?: number | undefined;
    readonly getColorDepth?: (() => number) | undefined;
  };
};
