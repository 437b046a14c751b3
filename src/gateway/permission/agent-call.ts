import { z } from 'zod';

/** The kinds of tool calls that the Agent Client Protocol tells apart. */
export const agentKindSchema = z.enum([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
]);

export type AgentKind = z.infer<typeof agentKindSchema>;

/** Kinds that change nothing. */
export const READING_KINDS: readonly AgentKind[] = ['read', 'search', 'think'];

/** Kinds that change files, all of which they name. */
export const WRITING_KINDS: readonly AgentKind[] = ['edit', 'delete', 'move'];

/** What an agent wants to do with a tool of its own, as it says when it asks for permission. */
export type AgentCall = {
  readonly kind: AgentKind;
  /** In the agent's, or its model's, words: for people, never to decide by. */
  readonly title: string;
  /** What a human sees, and a yes is for: JSON. */
  readonly args: unknown;
  /** The command lines that a shell would read, each on its own. None: it runs none, or nobody knows it. */
  readonly commands: readonly string[];
  /** Where relative paths start, absolute. */
  readonly cwd: string;
  /**
   * Another folder where it may be made: the agent told of `cwd` before it asked without one, and only it knows whether it
   * goes by that. What refuses or asks does so in either.
   */
  readonly elsewhere?: string | undefined;
  /** Others where it may be made, absolute: it names several, and only its agent knows which counts. As `elsewhere`. */
  readonly otherFolders?: readonly string[];
  /** Where its session works, absolute, if that is not the project itself. */
  readonly sessionFolder?: string;
  /** Files that it is about. */
  readonly paths: readonly string[];
  /** Texts of which nobody here knows whether they name files. */
  readonly mayName?: readonly string[];
  /** It may be about others besides, or run something, or remove it: not all that it says is understood. */
  readonly isUnclear?: boolean;
  /** The field for which that is so, where it is one. */
  readonly unknownField?: string | undefined;
  /** It says of a file that it goes, whatever its kind. */
  readonly deletes?: boolean;
  /** Machines that it would reach. */
  readonly hosts: readonly string[];
};

/** What was decided about a call: the agent does it, does not and is told why, or does not want it any more. */
export type PermissionWord =
  | {
      readonly is: 'allowed';
      /** For whoever cannot tell the agent any more: the human's yes is there again for the same call. */
      readonly giveBack?: () => Promise<void>;
    }
  | {
      readonly is: 'refused';
      readonly reason: string;
      /** The reason says what to do in its place. */
      readonly tellsWhatToDo?: boolean;
    }
  | { readonly is: 'cancelled' };
