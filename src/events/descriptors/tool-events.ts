import { z } from 'zod';
import { clip } from '../../lib/text/clip.ts';
import { count } from '../../lib/text/count.ts';
import { duration } from '../../lib/time/duration.ts';
import { observation } from '../descriptor.ts';
import { digestsSchema, durationMsSchema, jsonSchema, nameSchema, textSchema } from '../field-schemas.ts';

const callId = nameSchema;

/** What was decided about a call: by a rule, or by whoever ended the request that it waited for. */
const decided = () =>
  z.strictObject({
    callId,
    rule: textSchema.optional(),
    by: nameSchema.optional(),
    requestId: nameSchema.optional(),
  });

/** What an agent did can be a whole script: `replay --json` has all of what was kept. */
const MAX_LENGTH = 161;

const ruleOrHuman = ({ rule, by }: { rule?: string | undefined; by?: string | undefined }) =>
  rule ?? (by === undefined ? '' : `by ${by}`);

const unaskedSchema = z.strictObject({
  callId,
  kind: nameSchema,
  /** The command, the file, or what the agent calls it. */
  about: textSchema,
  title: textSchema.optional(),
  decision: z.enum(['deny', 'confirm']),
  rule: textSchema,
  /** It asked, and did it although it was refused. */
  refused: z.literal(true).optional(),
  runId: nameSchema.optional(),
  /** Whose tool it is, by the name that rules have for the agent. */
  agent: nameSchema.optional(),
});

/** What an agent did without asking, and what the policy says of it; or what it did although it was refused. */
export function unaskedText({ kind, about, decision, rule, refused }: z.infer<typeof unaskedSchema>): string {
  const what = `${kind} ${clip(about, MAX_LENGTH)}`;
  if (refused) return `${what}, although it was denied (${rule})`;
  const verdict = decision === 'deny' ? 'it is denied' : 'a human has to allow it';
  return `${what}, without asking: ${verdict} (${rule})`;
}

/** Facts about one tool call of an agent, Clifford's own tools (server `clifford`) included. */
export const toolEvents = {
  /** `args` is redacted and capped; `argsDigest` is the base64url SHA-256 of the whole. */
  'tool.requested': observation({
    data: () =>
      z.strictObject({
        callId,
        server: nameSchema,
        tool: nameSchema,
        args: jsonSchema,
        argsDigest: z.string(),
        runId: nameSchema.optional(),
        /** Of an agent's own tool (`server` is `@` and its name, `tool` the kind): what it calls it, and which files. */
        title: textSchema.optional(),
        paths: z.array(textSchema).optional(),
        /** Another folder where it may be made, absolute: nobody but its agent knows in which of the two. */
        elsewhere: textSchema.optional(),
      }),
    title: 'Call made',
    text: (call, says) => says.call(call),
  }),
  /** With `requestId` by a human, `by`, who was asked: one call at most is allowed by the same request. */
  'tool.allowed': observation({
    data: decided,
    // That a human has allowed it their answer says.
    title: ({ requestId }) => (requestId === undefined ? 'Call allowed' : 'Call let through'),
    text: ruleOrHuman,
  }),
  /** The agent was not told that its call may run: its turn had ended. The yes of the request is there for the same call again. */
  'tool.withheld': observation({
    data: () => z.strictObject({ callId, requestId: nameSchema }),
    text: () => 'its agent was not told any more, the yes stays',
  }),
  /** With `requestId` since that request ended without a yes to it, by whoever ended it: several calls may have waited for it. */
  'tool.denied': observation({
    data: decided,
    // That a human has denied it their answer says.
    title: ({ by }) => (by === undefined ? 'Call denied' : 'Call stopped'),
    text: ruleOrHuman,
  }),
  'tool.returned': observation({
    data: () =>
      z.strictObject({
        callId,
        isError: z.boolean(),
        durationMs: durationMsSchema,
        bytes: z.int().nonnegative(),
        /** Lines added to files, and taken out of them, as far as the agent shows them. */
        lines: z.strictObject({ added: z.int().nonnegative(), removed: z.int().nonnegative() }).optional(),
      }),
    text: ({ isError, durationMs, bytes, lines }) => {
      const changed = lines === undefined ? '' : `, +${lines.added} −${lines.removed} lines`;
      return `${isError ? 'an error' : 'a result'} of ${bytes} bytes after ${duration(durationMs)}${changed}`;
    },
  }),
  /**
   * An agent says that it has done, with a tool of its own, what it should have asked about, or was refused; `decision`: by which
   * word.
   */
  'tool.unasked': observation({
    data: () => unaskedSchema,
    title: 'Call made unasked',
    text: unaskedText,
    mark: 'approval',
  }),
  'tool.failed': observation({
    data: () => z.strictObject({ callId, error: textSchema }),
    text: ({ error }) => error,
  }),
  /**
   * The definitions of these tools, by name, are the known ones from now on; `tools` has their digests.
   * Without `by` they were seen for the first time.
   */
  'tool.pinned': observation({
    data: () =>
      z.strictObject({
        server: nameSchema,
        tools: digestsSchema,
        by: nameSchema.optional(),
      }),
    title: 'Tool pinned',
    text: ({ server, tools, by }) =>
      `${server}: ${count(Object.keys(tools).length, 'definition')}${by === undefined ? '' : `, accepted by ${by}`}`,
    // They are compared.
    unredacted: { tools: true },
  }),
};
