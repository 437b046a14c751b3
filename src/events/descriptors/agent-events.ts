import { commandName } from '../../lib/text/command-name.ts';
import { dollars } from '../../lib/text/dollars.ts';
import { z } from 'zod';
import { clockText } from '../../lib/time/clock-text.ts';
import { duration } from '../../lib/time/duration.ts';
import { decision, observation } from '../descriptor.ts';
import { endReasonSchema, endReasonText } from '../end-reason.ts';
import { durationMsSchema, nameSchema, textSchema } from '../field-schemas.ts';
import { because } from '../text-parts.ts';

const runIdSchema = nameSchema;

const tokensSchema = z.int().nonnegative();

/** In local time, as all times on a screen, and with the day: a history is read later. */
const dateTime = (moment: string) => clockText(Date.parse(moment), 0);

/** Options of a command line that choose the agent of a run. */
export const agentOptionNames = ['--agent', '--agent-cmd', '--agent-acp'] as const;

/** Facts about one agent process. Subject: `stream/task`, or the stream for an agent of no task. */
export const agentEvents = {
  /**
   * `processStart` and `bootId` tell this process from a later one with the same pid. `agent` is its name in
   * the configuration, `adapter` what speaks its command line, `option` the one of the command line that chose it, where
   * none of the files did, `sessionId` the session it goes on with.
   */
  'agent.started': observation({
    data: () =>
      z.strictObject({
        runId: runIdSchema,
        attempt: z.int().positive(),
        adapter: nameSchema,
        /** Of a command line of the user's own: its words and its calls are known from each other. */
        speaks: z.literal(true).optional(),
        agent: nameSchema.optional(),
        option: z.enum(agentOptionNames).optional(),
        argv: z.array(z.string()),
        pid: z.int().positive(),
        processStart: z.string(),
        bootId: z.string(),
        transcript: z.string().optional(),
        sessionId: z.string().optional(),
      }),
    // Its process and the whole command are in its data, for whoever looks for them.
    text: ({ attempt, agent, argv }) => `${agent ?? commandName(argv)}, attempt ${attempt}`,
  }),
  /** The agent's MCP client said `initialize`. */
  'agent.connected': observation({
    data: () =>
      z.strictObject({
        runId: runIdSchema.optional(),
        client: z.strictObject({ name: z.string(), version: z.string() }),
        protocol: z.string(),
      }),
    text: ({ client }) => `${client.name} ${client.version}`,
    reaches: { task: 'own' },
  }),
  /** The agent CLI named the session it works in: a later run can go on with it. */
  'agent.sessionopened': observation({
    data: () => z.strictObject({ runId: runIdSchema, sessionId: nameSchema }),
    title: 'Session opened',
    text: ({ sessionId }) => sessionId,
  }),
  /** Without a `reason` it ended by itself. `detail` says more, e.g. the last lines of its stderr. */
  'agent.exited': observation({
    data: () =>
      z.strictObject({
        runId: runIdSchema,
        code: z.int().nullable(),
        signal: z.string().nullable(),
        durationMs: durationMsSchema,
        reason: endReasonSchema.optional(),
        detail: textSchema.optional(),
      }),
    text: ({ code, signal, durationMs, reason, detail }) => {
      const how = signal === null ? `code ${code ?? 'unknown'}` : `ended by ${signal}`;
      // Of why it was ended the detail says more than its name.
      const why = detail ?? (reason === undefined ? undefined : endReasonText[reason]);
      return `${how} after ${duration(durationMs)}${because(why)}`;
    },
    reaches: { task: 'own' },
  }),
  'agent.stalled': observation({
    data: () => z.strictObject({ runId: runIdSchema, idleMs: durationMsSchema }),
    title: 'Agent silent',
    text: ({ idleMs }) => `silent for ${duration(idleMs)}`,
    mark: 'failure',
  }),
  /** Dead, or ended by us, after its runner was gone. */
  'agent.lost': observation({
    data: () => z.strictObject({ runId: runIdSchema, reason: textSchema }),
    text: ({ reason }) => reason,
    reaches: { task: 'own' },
    mark: 'failure',
  }),
  /**
   * It has only waited for a human for `waitedMs`: its process is ended, and what it asked stays open. The attempt has no
   * say any more. `sessionId`: what it is gone on with once it is answered.
   */
  'agent.parked': decision({
    data: () =>
      z.strictObject({
        runId: runIdSchema,
        waitedMs: durationMsSchema,
        sessionId: nameSchema.optional(),
      }),
    verb: 'park the agent of',
    text: ({ waitedMs }) => `it has waited for ${duration(waitedMs)}: the answer starts it again`,
    reaches: { task: 'own' },
    mark: 'attempt',
  }),
  /** A parked agent was started again, `parkedMs` after it was parked. Without `sessionId` in a new session. */
  'agent.resumed': observation({
    data: () =>
      z.strictObject({
        runId: runIdSchema,
        parkedMs: durationMsSchema,
        sessionId: z.string().optional(),
      }),
    text: ({ parkedMs, sessionId }) =>
      `after ${duration(parkedMs)}, ${sessionId === undefined ? 'in a new session' : 'in its session'}`,
    mark: 'attempt',
  }),
  /** What was used since the last `agent.usage` of the run. `cached`: read from a cache, not part of `input`. */
  'agent.usage': observation({
    data: () =>
      z.strictObject({
        runId: runIdSchema,
        tokens: z.strictObject({
          input: tokensSchema,
          output: tokensSchema,
          cached: tokensSchema.optional(),
        }),
        costUsd: z.number().nonnegative().optional(),
      }),
    title: 'Tokens used',
    text: ({ tokens, costUsd }) =>
      `${tokens.input.toLocaleString('en')} tokens in, ${tokens.output.toLocaleString('en')} out${costUsd === undefined ? '' : `, ${dollars(costUsd)}`}`,
  }),
  /** The model's provider refuses more for now. Not known until when: without `resetsAt`. */
  'agent.limited': observation({
    data: () =>
      z.strictObject({
        runId: runIdSchema,
        resetsAt: z.iso.datetime().optional(),
        message: textSchema.optional(),
      }),
    title: 'Agent at its limit',
    text: ({ resetsAt }) => `until ${resetsAt === undefined ? 'an unknown time' : dateTime(resetsAt)}`,
    mark: 'failure',
  }),
  /** It was refused more, and works on all the same. */
  'agent.continued': observation({
    data: () => z.strictObject({ runId: runIdSchema }),
    text: () => 'it hit its usage limit, and is still working',
  }),
};
