import { z } from 'zod';
import type { SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import {
  currentTask,
  notesForEarlier,
  saidToEarlier,
  undelivered,
  worksOn,
} from '../../workflow/task/current-task.ts';
import type { ManifestStatus } from '../../machines/manifest-words.ts';
import { manifestStatusSchema, type Manifest } from '../../workflow/sprint/manifest.ts';
import { statusOf } from '../../workflow/projections/manifest-status.ts';
import { attributedReply, questionText } from '../../workflow/requests/reply-text.ts';
import { readTaskFile } from '../../workflow/task/read-task-file.ts';
import { openOwnSprint, sprintDirSchema } from '../calls/sprint-dir.ts';
import { defineTool } from '../../gateway/call/tool.ts';
import { jsonResult } from '../../gateway/call/tool-result.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

const taskSchema = z.strictObject({
  id: z.string(),
  file: z.string(),
  status: manifestStatusSchema,
  /** It starts when all of these are completed or skipped. */
  dependsOn: z.array(z.string()).optional(),
});
const guidanceSchema = z.strictObject({ previousQuestion: z.string(), humanResponse: z.string() });

const contextSchema = z.strictObject({
  sprint: z.strictObject({
    id: z.string(),
    name: z.string(),
    status: manifestStatusSchema,
    tasks: z.array(taskSchema),
  }),
  /** `content` is `null` when the file cannot be read. */
  currentTask: taskSchema.extend({ content: z.string().nullable() }).nullable(),
  /** The latest of `guidances`. */
  guidance: guidanceSchema.nullable(),
  guidances: z.array(guidanceSchema),
  /** What a human tells the agent of the task unasked. */
  notes: z.array(z.string()).optional(),
  sprintDir: z.string(),
  note: z.string().optional(),
  /** Why tools of other servers are missing. */
  mcp: z.string().optional(),
});

type SprintContext = z.infer<typeof contextSchema>;

/** Tells an agent where its sprint stands and what to do. */
export const getSprintContext = defineTool({
  name: ownTool.getSprintContext,
  title: 'Read the sprint',
  description:
    'Read the sprint in a folder: its tasks with states, the text of the task to work on, and what ' +
    'a human said to earlier questions (guidances) or tells you unasked (notes). Call it first, before any work, ' +
    'and follow the guidance.',
  input: z.strictObject({ sprintDir: sprintDirSchema }),
  output: contextSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  // Some agents show a tool to their model only when it is searched for: this one every run needs.
  meta: { 'anthropic/alwaysLoad': true },

  locate: ({ sprintDir }, call) => openOwnSprint(call, sprintDir),

  async run(_input, call, { stream, sprint, dir, manifest }) {
    const { project, agent, session, delivers } = call;
    const current = currentTask(sprint, agent.runId);
    const { runId } = agent;
    const isAttempt = current !== undefined && runId !== undefined && worksOn(current, runId);
    // What was said at a prompt is for the next attempt, and nobody who only looks.
    const answered = undelivered(sprint, current?.id).filter(
      ({ asked }) => isAttempt || asked.kind !== 'prompt',
    );
    // Not delivered by this: the same words of it still get the answer.
    const earlier = isAttempt ? saidToEarlier(sprint, current, runId) : [];
    const guidances = [...earlier, ...answered].map((request) => ({
      previousQuestion: questionText(request),
      humanResponse: attributedReply(request),
    }));
    const isTheirs = current !== undefined && worksOn(current, runId);
    const before = isAttempt ? notesForEarlier(current, runId) : [];
    const notes = isTheirs ? [...before, ...(await call.takeNotes(stream, current.id))] : [];
    const mcp = await session.gatewayNotice?.();
    const context: SprintContext = {
      sprint: {
        id: sprint.id,
        name: sprint.name,
        status: shownStatus(sprint, manifest),
        tasks: [...sprint.tasks.values()].map((task) => shownTask(task, manifest)),
      },
      currentTask: current
        ? { ...shownTask(current, manifest), content: await readTaskFile(project.root, dir, current.file) }
        : null,
      guidance: guidances.at(-1) ?? null,
      guidances,
      ...(notes.length > 0 ? { notes: notes.map(({ text }) => text) } : {}),
      sprintDir: dir,
      ...(current ? {} : { note: noteOf(sprint) }),
      mcp,
    };
    if (worksOn(current, agent.runId)) delivers(answered);
    return jsonResult(context);
  },
});

function shownTask(task: TaskState, manifest: Manifest): z.infer<typeof taskSchema> {
  const entry = manifest.tasks.find(({ id }) => id === task.id);
  const { id, file, dependsOn } = task;
  const status = shownStatus(task, entry);
  return { id, file, status, ...(dependsOn.length > 0 ? { dependsOn: [...dependsOn] } : {}) };
}

/** `pushed` is a later stage of completed that only the manifest knows about. */
function shownStatus(
  thing: SprintState | TaskState,
  entry: { status: ManifestStatus } | undefined,
): ManifestStatus {
  const status = statusOf(thing);
  return status === 'completed' && entry?.status === 'pushed' ? 'pushed' : status;
}

function noteOf({ tasks, tally }: SprintState): string {
  if (tally.pending === 0) return 'All tasks completed or no pending tasks';
  const waiting = [...tasks.values()].filter((task) => statusOf(task) === 'pending').map(({ id }) => id);
  return `No task is ready: ${waiting.join(', ')} wait for tasks that did not complete`;
}
