import { z } from 'zod';
import { approvalScopeSchema, approvalVerdictSchema } from '../../events/approval.ts';
import { closingWords } from '../../events/closing-words.ts';
import { requestKindSchema } from '../../events/descriptors/help-events.ts';
import { formQuestionSchema } from '../../events/form/form.ts';
import type { CallCard } from '../../views/calls/call-card.ts';
import type { CallChange } from '../../views/calls/call-changes.ts';
import { risks } from '../../views/calls/risk.ts';
import { commandRisks } from '../../events/command-risk.ts';
import { anyJsonSchema, sprintIdSchema, taskSchema, timeSchema } from './fields.ts';
import { viewSchema } from './view-schema.ts';

/** What a human sees of a call to decide on it: what looks secret in its arguments is masked. */
export type SentCall = Omit<CallCard, 'changes' | 'unclear'> & {
  readonly changes: readonly SentChange[];
  /** What nobody can say of what it does to files, as a sentence. Absent: nothing. */
  readonly unclear?: string | undefined;
};

/** What a call would make of a file. */
export type SentChange = Pick<CallChange, 'path' | 'how' | 'lines'> & {
  /** What a patch says of where in the file these are, in its own lines: `@@ function add()`. Absent: nothing. */
  readonly places?: readonly string[] | undefined;
  /** The line of the file at which these begin, so that what is said to stay is there. Absent: nobody knows. */
  readonly firstLine?: number | undefined;
  /** Where the file is, if links on its path lead elsewhere. */
  readonly leadsTo?: string | undefined;
  /** What it takes the place of; of an edit only why it could not be compared. Absent: nobody has looked. */
  readonly over?: CallChange['over'];
};

/** See {@link SentChange}. */
export const sentChangeSchema = viewSchema<SentChange>()(
  z.object({
    path: z.string(),
    /** `delete`: the file goes; `move`: another file becomes this one; `name`: it is only named, and a link leads elsewhere. */
    how: z.enum(['edit', 'write', 'delete', 'move', 'name']),
    lines: z.array(z.object({ is: z.enum(['added', 'removed', 'kept']), text: z.string() })),
    places: z.array(z.string()).optional(),
    firstLine: z.int().positive().optional(),
    leadsTo: z.string().optional(),
    over: z
      .discriminatedUnion('is', [
        z.object({ is: z.literal('none') }),
        z.object({ is: z.literal('text') }),
        z.object({ is: z.literal('uncompared'), why: z.string() }),
      ])
      .optional(),
  }),
);

/** A command line of a call, taken apart: what is said of each command of it. */
export const commandPartsSchema = z.object({
  parts: z.array(
    z.object({
      /** As it would be typed; a word that is known only when it runs as it is written, or `…` where that is long, or not known. */
      text: z.string(),
      /** Not all of its words are known before it runs. */
      isOpen: z.literal(true).optional(),
      /** `clear`: the policy has nothing against it, but the line is asked about for what is no other part of it. */
      decision: z.enum(['allow', 'clear', 'confirm', 'deny']),
      /** The rule that says so. */
      rule: z.string(),
      /** What it does besides, the worst first: `rights`: with those of another user; `outside`: it reaches other machines. */
      risks: z.array(z.enum(commandRisks)).optional(),
    }),
  ),
  /** Files that it opens to write. */
  writes: z.array(z.string()),
  /** Why not all of it is known. */
  doubt: z.string().optional(),
});

/** See {@link SentCall}. Text of agents and servers in it is as they wrote it. */
export const sentCallSchema = viewSchema<SentCall>()(
  z.object({
    server: z.string(),
    /** As its server names it; of an agent's own tool its kind: `execute`, `edit`, … */
    tool: z.string(),
    /** The agent whose own tool it is. */
    agent: z.string().optional(),
    /** How its definition differs from the one that was known before, as a unified diff. */
    change: z.string().optional(),
    /** A human had asked about it before, and what its agent has said since. */
    explanation: z.object({ question: z.string(), words: z.string() }).optional(),
    /** Whether what the server says of its tool is believed. */
    isTrusted: z.boolean(),
    /** The rule of the policy that asks. */
    rule: z.string(),
    /** What a yes may lead to, in words: `may destroy`. */
    risk: z.string(),
    /** What it would make of files, as far as it says it. */
    changes: z.array(sentChangeSchema),
    hints: z.array(z.string()),
    args: anyJsonSchema,
    /** How much of arguments that are too long is shown. */
    cut: z.string().optional(),
    /** What of them is masked: `1 value hidden: 1,674 characters, 27 lines`. */
    hidden: z.string().optional(),
    /** What nobody can say of what it does to files: `Which files this changes is not known: only its arguments are shown`. */
    unclear: z.string().optional(),
  }),
);

/** What a human, an agent or nobody said to a question, once it is closed. */
export const closingSchema = z.object({
  /** What was done with it, as people read it. */
  did: z.enum(closingWords),
  /** The words; what looks like a secret is not sent. Of what was dismissed why, where that was said. */
  response: z.string().optional(),
  /** Of a form, the same on one line: `Database: SQLite; Features: Login, Export`. */
  line: z.string().optional(),
  option: z.int().describe('Which option that is, the first one being 0').optional(),
  verdict: approvalVerdictSchema.optional(),
  scope: approvalScopeSchema.optional(),
  by: z.string(),
  /** Through which face: `tui`, `cli`, `web`, `file`, `api`, … */
  via: z.string(),
  /** Not known of what was dismissed. */
  at: timeSchema.optional(),
  /** All of that in one sentence, as it is said to whoever came second. */
  text: z.string(),
});
/** See {@link closingSchema}. */
export type Closing = z.infer<typeof closingSchema>;

/** What a list has of a question. */
export const questionHeadSchema = z.object({
  id: z.string(),
  /** `adhoc`: it is of no sprint. */
  sprint: sprintIdSchema,
  task: taskSchema.optional(),
  kind: requestKindSchema,
  /** Who asks, as people are told it. */
  asker: z.string(),
  /** What a yes may lead to: `none`, where an agent only asks. */
  risk: z.enum(risks),
  /** The same for people: `may destroy`. */
  riskText: z.string(),
  /** What else it may lead to that is as great, for people: `sends something out`. Absent: nothing. */
  otherRisks: z.array(z.string()).optional(),
  askedAt: timeSchema,
  /** Its beginning, on one line. */
  title: z.string(),
  /** Of a call: calls of a sprint that have the same here are alike, and can be decided on together. */
  alike: z.string().optional(),
  /** An agent's call waits for its end. Otherwise the answer goes to the next attempt. */
  isAwaited: z.boolean(),
  /**
   * Of a call that names files: how far what it would make of them is compared with them. `pending`: not yet; `failed`: that could not be
   * done, and it is shown as the agent says it; `withheld`: it is not shown to whoever asks. Absent: it names none that are looked at.
   */
  comparison: z.enum(['pending', 'done', 'failed', 'withheld']).optional(),
  /** Of a call: how often what it would make of files has become something else. With each it is to be read anew. Absent: never. */
  revision: z.int().positive().optional(),
});
/** See {@link questionHeadSchema}. */
export type QuestionHead = z.infer<typeof questionHeadSchema>;

/** A question with all that is needed to answer it. Text of agents in it is as they wrote it. */
export const sentQuestionSchema = questionHeadSchema.extend({
  /** As markdown, as the agent wrote it. */
  question: z.string(),
  reason: z.string().optional(),
  context: z.string().optional(),
  options: z.array(z.string()),
  /** Several questions that are asked together, in place of `options`; `question` says what they are about. */
  questions: z.array(formQuestionSchema).optional(),
  /** Several of the options may be chosen, a line each in the answer. */
  isMultiple: z.boolean(),
  /** `asked`: a program asks for a secret at its prompt, as for a password; `named`: its words name one. No page keeps what is typed. */
  secret: z.enum(['asked', 'named']).optional(),
  /** Of a prompt: its program waits for a key. Any answer presses Enter, a single character that key. */
  awaitsKey: z.literal(true).optional(),
  /** Of a prompt: an empty answer is one, and presses Enter alone. */
  takesEmpty: z.literal(true).optional(),
  phase: z.enum(['open', 'answered', 'delivered', 'dismissed']),
  /** The agent is parked since then: the answer starts it again. */
  parkedSince: timeSchema.optional(),
  /** The attempt that asks; absent: an agent that no runner has started. */
  askedBy: z.string().optional(),
  /** What was answered to the same words before. */
  earlierAnswer: z.string().optional(),
  /** The tool call that waits for it. */
  call: sentCallSchema.optional(),
  /**
   * What is shown of what it would make of files, in short: it goes back with a yes, where `comparison` is `done` or `failed`. Absent:
   * nothing of it is shown, or not yet.
   */
  seen: z.string().optional(),
  /** Of a call that runs a command: that, taken apart. */
  command: commandPartsSchema.optional(),
  /** The rule that would have given the answers of humans to calls like it, in lines, where there is one. */
  offer: z.array(z.string()).optional(),
  /** For how much a yes to its call can stand, the least first, as far as whoever asks may say so. */
  scopes: z.array(approvalScopeSchema),
  /** Once it is closed. */
  closing: closingSchema.optional(),
});
/** See {@link sentQuestionSchema}. */
export type SentQuestion = z.infer<typeof sentQuestionSchema>;

/** The arguments of a call as they will run, and the text that a person begins with who changes them. */
export const revealedSchema = z.object({
  /** Absent: no process has them any more. */
  args: anyJsonSchema.optional(),
  changes: z.array(sentChangeSchema),
  /** `seen` of its question before and after `changes` were compared: with another one, or none, they may be of other files. */
  seen: z.string().optional(),
  /** Absent: the log has only a part of it, and nobody can change it. */
  edit: z.object({ is: z.enum(['command', 'arguments']), text: z.string() }).optional(),
});
/** See {@link revealedSchema}. */
export type Revealed = z.infer<typeof revealedSchema>;
