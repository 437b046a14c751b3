import { z } from 'zod';
import { jsonSchema, nameSchema, taskIdSchema, streamSchema, textSchema } from './field-schemas.ts';

/** How much of the arguments of a call nobody sees at first: how many texts, their UTF-16 units and lines. */
const hiddenSchema = z.strictObject({
  values: z.int().positive(),
  characters: z.int().positive(),
  lines: z.int().positive(),
});
/** See {@link hiddenSchema}. */
export type Hidden = z.infer<typeof hiddenSchema>;

/** A tool call of an agent that runs only if a human says so: what the human has to see to decide. */
export const approvalSchema = z.strictObject({
  /** The first call that asked. Others of the same digest may join it. */
  callId: nameSchema,
  server: nameSchema,
  /** As its server names it; of an agent's own tool the kind: `execute`, `edit`, …. */
  tool: nameSchema,
  /** The tool is the agent's own: `server` is `@` and the name of the agent. */
  isOwn: z.literal(true).optional(),
  /** Of an agent's own: files that its agent names beside a command. */
  paths: z.array(textSchema).optional(),
  /** Of an agent's own: another folder where it may be made, absolute. Only its agent knows in which of the two. */
  elsewhere: textSchema.optional(),
  /** Of an agent's own: one of its commands may destroy something, `rm -rf dist`. */
  destroys: z.literal(true).optional(),
  /** Of an agent's own: one of its commands sends something out, `git push`. */
  sends: z.literal(true).optional(),
  /** Of an agent's own: one of its commands runs with another user's rights, `sudo`. */
  rights: z.literal(true).optional(),
  /** Without secrets, and capped: for the eyes. */
  args: jsonSchema,
  /** What was taken out of `args`. */
  hidden: hiddenSchema.optional(),
  /** base64url SHA-256 of server, tool and the whole arguments: the yes is for these and no others. */
  callDigest: nameSchema,
  /** base64url SHA-256 of the tool's definition as its server sent it. */
  definitionDigest: nameSchema,
  /** The rule of the policy that asks: `default`, `rules[0] fs/write_*`. */
  rule: textSchema,
  /** How far the server is believed. */
  trust: z.enum(['full', 'untrusted']),
  /** What the server says of its tool. */
  annotations: z.record(z.string(), jsonSchema).optional(),
  /** A human had asked about this call before: what, and what its agent has said since; `''`: nothing. */
  explanation: z.strictObject({ question: textSchema, words: textSchema }).optional(),
  /** How the definition differs from the one that was known before, as a unified diff. */
  change: textSchema.optional(),
});
/** See {@link approvalSchema}. */
export type Approval = z.infer<typeof approvalSchema>;

/** The rule that asks, for people. */
export function ruleText({ rule }: Pick<Approval, 'rule'>): string {
  return rule === 'default' ? 'none matches, so the default asks' : rule;
}

/** For how much a human's yes to a call stands: for it alone, for its task, its sprint, from now on. */
export const approvalScopeSchema = z.enum(['once', 'task', 'sprint', 'always']);
/** One of {@link approvalScopeSchema}. */
export type ApprovalScope = z.infer<typeof approvalScopeSchema>;

/**
 * What a human said to a call. `edited`: not this one, but the one that they made of it. `questioned`: not before the agent
 * has explained it.
 */
export const approvalVerdictSchema = z.enum(['approved', 'denied', 'edited', 'questioned']);
/** One of {@link approvalVerdictSchema}. */
export type ApprovalVerdict = z.infer<typeof approvalVerdictSchema>;

/** Whether a call may run by this word: the one that was asked about, or the one that a human made of it. */
export function allowsCall(verdict: ApprovalVerdict | undefined): boolean {
  return verdict === 'approved' || verdict === 'edited';
}

/** The call that a human has made of one that waited: another one of the same tool. */
export const editedCallSchema = z.strictObject({
  /** Whole: what a secret is in, or too long to be shown, is not edited. */
  args: jsonSchema,
  /** As {@link approvalSchema} has it: the yes is for these arguments and no others. */
  callDigest: nameSchema,
});
/** See {@link editedCallSchema}. */
export type EditedCall = z.infer<typeof editedCallSchema>;

/**
 * Whether Clifford makes the call itself, so that it can run as a human has changed it. Otherwise the agent is told which
 * call to make in its place: an agent's own tool it runs itself, and what a resource or a prompt returns has no place
 * for the word that it is another one.
 */
export function runsEdited({
  isOwn,
  definitionDigest,
}: Pick<Approval, 'isOwn' | 'definitionDigest'>): boolean {
  return isOwn !== true && !definitionDigest.startsWith('method ');
}

/** Whether an agent whose call did not run is told what to do, and not only that it did not. */
export function tellsWhatToDo(verdict: ApprovalVerdict | undefined): boolean {
  return verdict === 'edited' || verdict === 'questioned';
}

/** Where a rule holds that a human granted. */
export const ruleScopeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('task'), stream: streamSchema, taskId: taskIdSchema }),
  z.strictObject({ kind: z.literal('sprint'), stream: streamSchema }),
  z.strictObject({ kind: z.literal('always') }),
]);
/** One of {@link ruleScopeSchema}. */
export type RuleScope = z.infer<typeof ruleScopeSchema>;
