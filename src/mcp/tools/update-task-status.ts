import { z } from 'zod';
import { CliffordError } from '../../errors.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { wordOf } from '../../machines/status-words.ts';
import { type AgentStatus, setTaskStatus } from '../../workflow/task/set-task-status.ts';
import type { Excused } from '../../workflow/verify/verify-task.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import { openOwnSprint, sprintDirSchema } from '../calls/sprint-dir.ts';
import { defineTool, type ToolCall } from '../../gateway/call/tool.ts';
import { textResult } from '../../gateway/call/tool-result.ts';
import { completeVerified } from '../calls/complete-verified.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** How an agent says that it works on a task, has completed it, or cannot. */
export const updateTaskStatus = defineTool({
  name: ownTool.updateTaskStatus,
  title: 'Report the state of a task',
  description:
    'Report the state of a task. Call it with completed when the task is done and checked: exiting alone ' +
    'completes nothing. Call it with blocked, and the reason as summary, when you cannot go on and there is ' +
    `no single question to ask (else use ${ownTool.requestHelp}). active says that you begin; a task that Clifford ` +
    'started for you is active already.',
  input: z.strictObject({
    sprintDir: sprintDirSchema,
    taskId: z.string().min(1).max(200).describe('Id of the task as in the manifest'),
    status: z.enum(['active', 'completed', 'blocked']),
    summary: z
      .string()
      .max(MAX_TEXT_LENGTH)
      .optional()
      .describe('What was done, or why it is blocked; for the human who reads the sprint later'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  // Some agents show a tool to their model only when it is searched for: this one every run needs.
  meta: { 'anthropic/alwaysLoad': true },

  async locate({ sprintDir, taskId }, call) {
    const { stream, sprint, dir, manifest } = await openOwnSprint(call, sprintDir);
    const folder = { dir, manifest };
    return sprint.tasks.has(taskId) ? { stream, folder, taskId } : { stream, folder };
  },

  async run({ taskId, status, summary }, call, { stream, folder }) {
    const { project, agent } = call;
    if (status === 'active') refuseOthers(call, stream, taskId);
    const change = { stream, taskId, summary };
    if (status === 'completed') {
      const completion = await completeVerified(call, { ...change, folder });
      return textResult(completion ? completed(taskId, completion.excused) : notYet(taskId));
    }
    const task = await setTaskStatus(project, { ...change, status, agent });
    return textResult(confirmation(taskId, status, task.machine.context.open.at(-1)?.requestId));
  },
});

/** An attempt is at one task. Starting another would leave it with an agent that may not complete it. */
function refuseOthers({ project, agent, session }: ToolCall, stream: string, taskId: string): void {
  const own = ownTask(project.state, agent, session);
  if (!own || (own.sprint.id === stream && own.task.id === taskId)) return;
  const task = project.state.streams.get(stream)?.tasks.get(taskId);
  if (!task || wordOf(task.machine.value) === 'active') return;
  throw new CliffordError(
    `Cannot start task ${taskId}: this agent was started for task ${own.task.id} of sprint ${own.sprint.id}`,
    {
      code: 'NOT_YOUR_TASK',
      fix: `Complete ${own.task.id} and exit: Clifford starts an agent for ${taskId}`,
      recovery: 'give-up',
    },
  );
}

function completed(taskId: string, excused: readonly Excused[]): string {
  const notes = excused.map(
    ({ command, how }) =>
      `. \`${command}\` ${how}; it failed before this task began, too: not counted against it`,
  );
  return `Task ${taskId} is completed${notes.join('')}`;
}

function confirmation(taskId: string, status: AgentStatus, requestId: string | undefined): string {
  if (status !== 'blocked' || requestId === undefined) return `Task ${taskId} is ${status}`;
  return (
    `Task ${taskId} is blocked, and the human has been told. To wait for the human, call ` +
    `${ownTool.requestHelp} with requestId ${requestId}; or exit, and an agent is started when there is an answer`
  );
}

function notYet(taskId: string): string {
  return (
    `Task ${taskId} is not completed yet: the commands that verify it still run. Call ${ownTool.updateTaskStatus} ` +
    'again with the same arguments to wait for them; change nothing before that'
  );
}
