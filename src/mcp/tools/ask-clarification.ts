import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { loadConfig } from '../../workflow/config/load-config.ts';
import type { Config } from '../../workflow/config/config-schema.ts';
import { ask, normalise } from '../../workflow/requests/ask.ts';
import { optionsSchema } from '../../workflow/requests/options-schema.ts';
import { placeOfCall } from '../../gateway/call/place-of-call.ts';
import { ClarificationSwitch } from '../../gateway/session/clarification-switch.ts';
import { humanReply, questionField } from '../calls/human-reply.ts';
import type { Session } from '../../gateway/session/session.ts';
import { defineTool } from '../../gateway/call/tool.ts';
import type { Unanswered } from '../../gateway/wait/wait-for-human.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** Asks a human something the agent could decide itself, and waits for a limited time. */
export const askClarification = defineTool({
  name: ownTool.askClarification,
  title: 'Ask for a clarification',
  description:
    'Ask the human which of several ways is meant, when you could also decide by yourself if nobody answers. ' +
    'It waits for a limited time and returns the answer: one of your options, or words of the human. ' +
    'Called again with the same question it goes on waiting, and the human is not asked twice. When you ' +
    `cannot go on without an answer, use ${ownTool.requestHelp}.`,
  input: z.strictObject({
    question: questionField,
    options: optionsSchema
      .optional()
      .describe('Answers to choose from, all different; the human may always answer in other words'),
    multiple: z
      .boolean()
      .optional()
      .describe('The human may choose several of the options: the answer has a line for each'),
    context: z.string().max(MAX_TEXT_LENGTH).optional().describe('What helps to decide'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  meta: { 'anthropic/alwaysLoad': true },

  locate({ question }, call) {
    const words = normalise(call.project.asLogged(question));
    return placeOfCall(
      call,
      (asked) => asked.kind === 'clarification' && normalise(asked.question) === words,
    );
  },

  asks: () => true,

  async run({ question, options, multiple, context }, call, { stream, taskId }, recorded) {
    const { project, agent, session } = call;
    const deadlineMs = timeLimitOf(await loadConfig(session));
    const asked = {
      kind: 'clarification',
      question,
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
