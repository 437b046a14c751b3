import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import { ask } from '../../workflow/requests/ask.ts';
import { awaitable, requestById } from '../../workflow/requests/find-request.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { askedAsTask } from '../calls/help-task.ts';
import { humanReply, questionField } from '../calls/human-reply.ts';
import {
  defineTool,
  type CallPlace,
  type RecordedCall,
  type ToolCall,
  type ToolDefinition,
} from '../../gateway/call/tool.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

const inputSchema = z.strictObject({
  task: z
    .string()
    .min(1)
    .max(512)
    .describe('Id of the task the question is about, e.g. task-2; without a sprint, a few words'),
  reason: z.string().max(MAX_TEXT_LENGTH).describe('Why you cannot go on without the answer'),
  question: questionField,
  requestId: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe('Id of a question you asked before, to wait for its answer again'),
});

type Input = z.infer<typeof inputSchema>;
type HelpPlace = CallPlace & { readonly known: RequestState | undefined };

const definition: Omit<ToolDefinition<Input, HelpPlace>, 'run'> = {
  name: ownTool.requestHelp,
  title: 'Ask a human',
  description:
    'Ask the human who runs this sprint, and wait for the answer. Call it when you are blocked, when a ' +
    'decision is not yours to take, or before doing something that cannot be undone; not for what you can ' +
    'find out yourself. It returns when the human has answered, which may take hours; do not continue the ' +
    'blocked step before. If the call is cut off, or says that there is no answer yet, call it again with the ' +
    'same question or its requestId: you go on waiting, and the human is not asked twice.',
  input: inputSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  // Some agents show a tool to their model only when it is searched for: this one has to be there.
  meta: { 'anthropic/alwaysLoad': true },

  async locate({ task, requestId }, { project, agent, session }) {
    const known = requestId === undefined ? undefined : knownRequest(project.state, requestId);
    const stream = known?.stream ?? (await homeStream(project, agent, session));
    const isTask = project.state.streams.get(stream)?.tasks.has(task) ?? false;
    const taskId = known ? known.taskId : isTask ? task : undefined;
    return { stream, known, taskId };
  },

  asks: ({ requestId }) => requestId === undefined,
  isTask: true,
};

/** Asks a human and blocks until the answer is there. */
export const requestHelp = defineTool({
  ...definition,
  async run(input, call, place, recorded) {
    const request = await asked(input, call, place, recorded);
    return humanReply(request, call, { goOn: () => noAnswerYet(request) });
  },
});

/** The same for a client that looks after the answer by itself: asks, and returns at once. */
export const requestHelpAsTask = defineTool({
  ...definition,
  run: async (input, call, place, recorded) => askedAsTask(await asked(input, call, place, recorded), call),
});

function asked(
  { task, reason, question }: Input,
  { project, agent }: ToolCall,
  { stream, known }: HelpPlace,
  recorded: RecordedCall,
): Promise<RequestState> | RequestState {
  const about = { stream, agent, kind: 'help', task, reason, question } as const;
  return known ?? recorded.asked((before) => ask(project, about, before));
}

function noAnswerYet({ id }: RequestState): string {
  return (
    `No answer yet. The question (${id}) stays open. Call ${ownTool.requestHelp} again with requestId ${id} (or the ` +
    'same question) to go on waiting; do not continue the blocked step.'
  );
}

function knownRequest(state: ProjectState, id: string): RequestState {
  const request = requestById(state, id);
  if (request) return awaitable(request);
  throw new CliffordError(`Cannot wait for request ${id}: no request has that id`, {
    code: 'REQUEST_UNKNOWN',
    fix: 'Leave requestId out and ask the question again',
  });
}
