import { answerLine } from '../form/answers-text.ts';
import { z } from 'zod';
import { clip } from '../../lib/text/clip.ts';
import { count } from '../../lib/text/count.ts';
import { duration } from '../../lib/time/duration.ts';
import { answererText, viaText } from '../answerer.ts';
import {
  approvalSchema,
  approvalScopeSchema,
  approvalVerdictSchema,
  editedCallSchema,
  ruleText,
} from '../approval.ts';
import { decision, observation } from '../descriptor.ts';
import { durationMsSchema, nameSchema, textSchema } from '../field-schemas.ts';
import { formAnswerSchema, formQuestionSchema } from '../form/form.ts';
import { because } from '../text-parts.ts';

/** What a request wants of a human. */
export const requestKindSchema = z.enum(['help', 'clarification', 'approval', 'prompt']);
/** One of {@link requestKindSchema}. */
export type RequestKind = z.infer<typeof requestKindSchema>;

/**
 * Who asked. `agent` is the run id of an attempt, or the id of the server session for an agent
 * that nobody started; answers are delivered per agent.
 */
const originSchema = z.strictObject({
  agent: nameSchema,
  runId: nameSchema.optional(),
  client: z.string().optional(),
});

const requestId = nameSchema;

/** What a decision about a call is called. */
const decidedTitles: Readonly<Record<z.infer<typeof approvalVerdictSchema>, string>> = {
  approved: 'Call allowed',
  edited: 'Call allowed as changed',
  denied: 'Call denied',
  questioned: 'Call asked about',
};

const ASKED_FOR = 'Approval asked for';

/** Facts about one request to a human. Subject: the task it blocks, else the stream. */
export const helpEvents = {
  /**
   * `follows` names the answered request whose words the same agent repeated. `approval` is the tool call
   * that waits for it, of a request of that kind.
   */
  'help.requested': decision({
    data: () =>
      z.strictObject({
        requestId,
        kind: requestKindSchema,
        /** The task as the asker named it, which may be unknown or done. */
        task: nameSchema.optional(),
        question: textSchema,
        reason: textSchema.optional(),
        context: textSchema.optional(),
        options: z.array(textSchema).optional(),
        /** Several of the options may be the answer, a line each. */
        multiple: z.literal(true).optional(),
        /** Several questions at once, and `question` says what they are about; then it has no `options` of its own. */
        questions: z.array(formQuestionSchema).optional(),
        deadlineMs: durationMsSchema.optional(),
        /** Of a prompt: nothing can be typed into its program, whose stdin is closed. */
        untypable: z.literal(true).optional(),
        /** Of a prompt: its program waits for a key, and any answer is one. */
        awaitsKey: z.literal(true).optional(),
        /** Of a prompt: whether its program asks for a secret. Absent of older ones: their words tell. */
        secret: z.boolean().optional(),
        follows: requestId.optional(),
        approval: approvalSchema.optional(),
        origin: originSchema,
      }),
    verb: 'ask about',
    title: ({ approval }) => (approval ? ASKED_FOR : 'Question asked'),
    callTitle: ASKED_FOR,
    text: ({ question, questions, reason, approval }, says) => {
      const form = questions ? ` (${count(questions.length, 'question')})` : '';
      if (!approval) return `${question}${form}${reason === undefined ? '' : ` (${reason})`}`;
      const changed = approval.change === undefined ? '' : ', its definition changed';
      return `Allow ${says.call(approval)}? (rule: ${ruleText(approval)}${changed})`;
    },
    reaches: { request: 'opens', task: 'own' },
    projections: ['statuses', 'memories'],
    // Out of `args` secrets were taken before, and it says how many; the digests are compared.
    unredacted: { approval: { args: true, callDigest: true, definitionDigest: true } },
    mark: ({ approval }) => (approval ? 'approval' : 'question'),
  }),
  /**
   * `via` is the face it came through: `tui`, `cli`, `web`, `file`, `api`. With `rejected` the human
   * turned the question itself down, and `response` says why; with `rephrase` they want it put in other words, and `response`
   * says how. Of several questions at once `answers` has the answers, and `response` is their text. Where a tool call waits, `verdict` decides,
   * `scope` says for how much a yes stands, `edited` which call it is for in place of the one that was asked about,
   * and `response` is for the agent.
   */
  'help.answered': decision({
    data: () =>
      z.strictObject({
        requestId,
        response: textSchema,
        option: z.int().nonnegative().optional(),
        rejected: z.literal(true).optional(),
        rephrase: z.literal(true).optional(),
        answers: z.array(formAnswerSchema).optional(),
        verdict: approvalVerdictSchema.optional(),
        scope: approvalScopeSchema.optional(),
        edited: editedCallSchema.optional(),
        by: nameSchema,
        via: nameSchema,
      }),
    verb: 'answer',
    callTitle: 'Call decided',
    title: ({ verdict, rejected, rephrase }) => {
      if (verdict !== undefined) return decidedTitles[verdict];
      if (rephrase) return 'Question sent back';
      return rejected ? 'Question rejected' : 'Question answered';
    },
    text: ({ response, answers, rejected, rephrase, verdict, scope, edited, by, via }) => {
      if (verdict === 'approved') return `${by} allowed it (${scope ?? 'once'}) ${viaText(via)}`;
      if (verdict === 'edited')
        return `${by} allowed it as changed ${viaText(via)}: ${clip(JSON.stringify(edited?.args), 200)}`;
      if (verdict === 'questioned') return `${by} asked about it first ${viaText(via)}: ${response}`;
      if (rephrase) return `${answererText(by)} asked to rephrase it ${viaText(via)}${because(response)}`;
      // That is what a no without a reason says to the agent.
      if (verdict === 'denied' && response === 'no') return `${answererText(by)} denied it ${viaText(via)}`;
      const no = verdict === 'denied' ? ' denied it' : rejected ? ' rejected it' : '';
      return `${answererText(by)}${no} ${viaText(via)}${because(answerLine({ response, answers }))}`;
    },
    reaches: { request: 'own', task: 'own' },
    projections: ['statuses', 'memories'],
    // It has to arrive.
    unredacted: { response: true, answers: true, edited: { args: true, callDigest: true } },
    mark: 'answer',
  }),
  'help.dismissed': decision({
    data: () =>
      z.strictObject({
        requestId,
        by: nameSchema,
        via: nameSchema,
        reason: textSchema.optional(),
      }),
    verb: 'dismiss',
    callTitle: 'Call dismissed',
    text: ({ by, via, reason }) => `${answererText(by)} ${viaText(via)}${because(reason)}`,
    reaches: { request: 'own', task: 'own' },
    projections: ['statuses', 'memories'],
    mark: 'answer',
  }),
  /** A call's time limit ended the call of this agent. The question stays open. */
  'help.expired': observation({
    data: () => z.strictObject({ requestId, afterMs: durationMsSchema, agent: nameSchema.optional() }),
    title: 'Not answered in time',
    text: ({ afterMs }) => `the call ended after ${duration(afterMs)}, the question stays`,
  }),
  /** An agent waits for it again, or one more does. */
  'help.attached': observation({
    data: () => z.strictObject({ requestId, agent: nameSchema }),
    title: 'Answer waited for again',
    text: () => 'an agent waits for it',
  }),
  /** The agent's call ended without an answer. The question stays open. */
  'help.detached': observation({
    data: () => z.strictObject({ requestId, agent: nameSchema, why: textSchema }),
    title: 'Answer not waited for any more',
    text: ({ why }) => `the agent no longer waits, the question stays: ${why}`,
  }),
  /** The answer, or the word that there will be none, was flushed to the agent `to`. */
  'help.delivered': observation({
    data: () => z.strictObject({ requestId, to: nameSchema }),
    title: 'Answer delivered',
    text: ({ to }) => `to ${to}`,
    reaches: { request: 'own' },
  }),
};
