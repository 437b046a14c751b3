import { z } from 'zod';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';

/**
 * The last question about a task and its answer, `null` while there is none. With `rejected` the human
 * turned the question down, and `answer` says why; with `rephrase` they want it in other words.
 */
export type Memory = z.infer<typeof memorySchema>;

const memorySchema = z.strictObject({
  question: z.string(),
  answer: z.string().nullable(),
  rejected: z.literal(true).optional(),
  rephrase: z.literal(true).optional(),
});

/** `.clifford/memory.json`: sprint id → task id → memory. */
export const memoryFileSchema = z.record(z.string(), z.record(z.string(), memorySchema));
/** What {@link memoryFileSchema} takes. */
export type MemoryFile = z.infer<typeof memoryFileSchema>;

/** Where questions about no task are kept. No task can have this id: it has none. */
const NO_TASK = '';

/** The memories of every task of a sprint. */
function memoriesOf(sprint: SprintState): Map<string, Memory> {
  const memories = new Map<string, Memory>();
  for (const { taskId, asked, answer } of sprint.requests.values()) {
    if (asked.kind === 'approval' || asked.kind === 'prompt') continue;
    memories.set(taskId ?? asked.task ?? NO_TASK, {
      question: asked.question,
      answer: answer?.response ?? null,
      ...(answer?.rejected ? { rejected: true } : {}),
      ...(answer?.rephrase ? { rephrase: true } : {}),
    });
  }
  return memories;
}

/** The file's content after a change in one stream. Without a file it is made from all of them. */
export function withMemories(file: unknown, state: ProjectState, stream: string): MemoryFile {
  const before = memoryFileSchema.safeParse(file);
  const streams = before.success ? [stream] : state.streams.keys();
  // Not the parsed copy: zod leaves out `__proto__`, which is an id like any other.
  const memories = new Map(before.success ? Object.entries(file as MemoryFile) : []);
  for (const id of streams) {
    const sprint = state.streams.get(id);
    if (sprint && sprint.requests.size > 0) memories.set(id, Object.fromEntries(memoriesOf(sprint)));
  }
  return Object.fromEntries(memories);
}
