import type { Approval } from '../../events/approval.ts';

/** How a call ended that the log has. */
export type CallOutcome =
  /** By the word of a human, to this call or, where nobody was asked about it, to calls of its tool. */
  | { readonly is: 'approved' | 'denied'; readonly by: string }
  /** By a rule of the policy of that time. */
  | { readonly is: 'ran' | 'stopped'; readonly rule: string }
  /** It ran or was denied where nobody is asked, and a human would have been. */
  | { readonly is: 'unattended'; readonly rule: string }
  /** Nobody decided: it waits, its time was over, or it never came to that. */
  | { readonly is: 'undecided' }
  /** An agent has done it with a tool of its own, and asked nobody. */
  | { readonly is: 'unasked' };

/** A call that an agent has made, of a server's tool or of its own, as the log has it. */
export type RecordedCall = {
  /** By which a human was asked about it. */
  readonly requestId: string | undefined;
  /** When it was made, RFC 3339. */
  readonly at: string;
  readonly stream: string;
  readonly taskId: string | undefined;
  /** Of an agent's own tool `@` and the name of the agent, and `tool` its kind. */
  readonly server: string;
  readonly tool: string;
  readonly args: Approval['args'];
  /** Files that an agent named beside its arguments. */
  readonly paths: readonly string[];
  /** Another folder where an agent may make it, absolute. */
  readonly elsewhere: string | undefined;
  /** Whether `args` are those that were called with: no secret was taken out, nothing was cut. */
  readonly isWhole: boolean;
  /** The definition of the tool was not the known one. */
  readonly hasChanged: boolean;
  /** What the server said of the tool then, where a human was asked. */
  readonly annotations: Approval['annotations'];
  readonly outcome: CallOutcome;
};

/** What a human said to a call: the word that a rule would have to say; `undefined`: no human did. */
export function humansWord({ outcome }: Pick<RecordedCall, 'outcome'>): 'allow' | 'deny' | undefined {
  if (outcome.is === 'approved') return 'allow';
  return outcome.is === 'denied' ? 'deny' : undefined;
}

/** How a rule is called that stands for a human where nobody is asked, before what would have had one asked. */
const NOBODY_ASKED = 'agents.ask nothing (otherwise ';

/** Whether a human would have decided, had somebody been there. */
export function isUnattended(rule: string): boolean {
  return rule.startsWith(NOBODY_ASKED);
}
