import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { loadConfig } from '../../workflow/config/load-config.ts';
import type { Config } from '../../workflow/config/config-schema.ts';
import { ask } from '../../workflow/requests/ask.ts';
import { formHeading } from '../../events/form/form-heading.ts';
import { askedForm, formSchema } from '../../workflow/requests/form-schema.ts';
import { questionWords } from '../../workflow/requests/question-words.ts';
import { optionsSchema } from '../../workflow/requests/options-schema.ts';
import type { Asked } from '../../machines/project-state.ts';
import { placeOfCall } from '../../gateway/call/place-of-call.ts';
import { ClarificationSwitch } from '../../gateway/session/clarification-switch.ts';
import { humanReply, questionField } from '../calls/human-reply.ts';
import type { Session } from '../../gateway/session/session.ts';
import { defineTool } from '../../gateway/call/tool.ts';
import type { Unanswered } from '../../gateway/wait/wait-for-human.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

const inputSchema = z
  .strictObject({
    question: questionField.optional(),
    options: optionsSchema
      .optional()
      .describe('Answers to choose from, all different; the human may always answer in other words'),
    multiple: z
      .boolean()
      .optional()
      .describe('The human may choose several of the options: the answer has a line for each'),
    questions: formSchema
      .optional()
      .describe(
        'Several questions at once, in place of options: the human sees them as one form. question then says ' +
          'what they are about',
      ),
    context: z.string().max(MAX_TEXT_LENGTH).optional().describe('What helps to decide'),
  })
  .refine(
    ({ question, questions }) => question !== undefined || questions !== undefined,
    'expected question, or questions',
  )
  .refine(
    ({ questions, options, multiple }) =>
      questions === undefined || (options === undefined && multiple === undefined),
    'options and multiple belong to each of questions, where there are several',
  );

/** Asks a human something the agent could decide itself, and waits for a limited time. */
export const askClarification = defineTool({
  name: ownTool.askClarification,
  title: 'Ask for a clarification',
  description:
    'Ask the human which of several ways is meant, when you could also decide by yourself if nobody answers. ' +
    'It waits for a limited time and returns the answer: one of your options, or words of the human. ' +
    'Ask what belongs together in one call, with questions: the human answers them as one form, and you get the answer to ' +
    'each. The human may also reject it, or want it in other words, and says why. ' +
    'Called again with the same question it goes on waiting, and the human is not asked twice. When you ' +
    `cannot go on without an answer, use ${ownTool.requestHelp}.`,
  input: inputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  meta: { 'anthropic/alwaysLoad': true },

  locate(input, call) {
    const asked = wordsAsked(input);
    const words = questionWords(asked, (text) => call.project.asLogged(text));
    return placeOfCall(call, (other) => other.kind === 'clarification' && questionWords(other) === words);
  },

  asks: () => true,

  async run(input, call, { stream, taskId }, recorded) {
    const { project, agent, session } = call;
    const { options, multiple, context } = input;
    const deadlineMs = timeLimitOf(await loadConfig(session));
    const asked = {
      kind: 'clarification',
      ...wordsAsked(input),
      stream,
      agent,
      task: taskId,
      options,
      ...(multiple === true && options ? { multiple } : {}),
      context,
      deadlineMs,
    } as const;
    const request = await recorded.asked((before) => ask(project, asked, before));
    return humanReply(request, call, {
      deadlineMs,
      onSwitchedOff: switchOf(session),
      goOn: (unanswered) => withoutAnswer(unanswered, request.id),
    });
  },
});

/** What is asked, in one question or in several. */
function wordsAsked({
  question,
  questions,
}: z.infer<typeof inputSchema>): Pick<Asked, 'question' | 'questions'> {
  if (!questions) return { question: question ?? '' };
  const form = askedForm(questions);
  return { question: question ?? formHeading(form), questions: form };
}

/** The time limit of a call that begins now, in ms; `undefined`: none. */
function timeLimitOf({ clarification: { enabled, defaultTimeout } }: Config): number | undefined {
  if (!enabled) throw switchedOff();
  return defaultTimeout === 0 ? undefined : defaultTimeout;
}

function switchOf(session: Session): (end: () => void) => () => void {
  const clarification = (session.clarificationSwitch ??= new ClarificationSwitch(session));
  return (end) => clarification.watch(end);
}

function withoutAnswer(unanswered: Unanswered, id: string): string {
  switch (unanswered.is) {
    case 'limited':
      return (
        `No answer yet. The question (${id}) stays open. Call ${ownTool.askClarification} again with the same question ` +
        'to go on waiting; do not continue the blocked step.'
      );
    case 'expired':
      return (
        `No answer within ${waitedText(unanswered.afterMs)}. Go on without it: take the safest reasonable ` +
        'assumption, and say so when you complete the task. ' +
        `The question (${id}) stays open; a later answer is handed over by ${ownTool.getSprintContext}. ` +
        `To wait again, call ${ownTool.askClarification} with the same question.`
      );
    case 'switched-off':
      throw switchedOff();
  }
}

function switchedOff(): CliffordError {
  return new CliffordError(
    `Cannot wait for a clarification: ${ownTool.askClarification} is switched off here`,
    {
      code: 'CLARIFICATION_OFF',
      fix:
        'Decide by yourself and say so when you complete the task; or, if you cannot go on without an answer, ' +
        `ask with ${ownTool.requestHelp}`,
      recovery: 'give-up',
    },
  );
}
