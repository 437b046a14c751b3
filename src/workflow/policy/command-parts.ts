import type { CommandRisk } from '../../events/command-risk.ts';

/** What is said of one command of a line, where it runs. */
export type CommandPart = {
  /** As it would be typed; a word that is known only when it runs as it is written, or `…` where that is long, or not known. */
  readonly text: string;
  /** Not all of its words are known before it runs. */
  readonly isOpen?: true;
  /** `clear`: the policy has nothing against it, but the line is asked about for what is no other part of it. */
  readonly decision: 'allow' | 'clear' | 'confirm' | 'deny';
  /** The rule that says so. */
  readonly rule: string;
  /** What it does besides, the worst first. Absent: nothing that is known of. */
  readonly risks?: readonly CommandRisk[];
};

/** A command line of a call that waits, taken apart. */
export type CommandParts = {
  readonly parts: readonly CommandPart[];
  /** Files that it opens to write. */
  readonly writes: readonly string[];
  /** Why not all of it is known. */
  readonly doubt: string | undefined;
};
