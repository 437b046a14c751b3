import { z } from 'zod';
import type { Job } from '../../queue/job-queue.ts';
import { jobKey, sprintOfKey, type JobPlace } from './queue-names.ts';

/**
 * What a message of the queue says beyond its subject. `id`: by which it is known when it was sent twice; `deadlineMs`: how long whoever
 * added it wants to hear nothing of its worker.
 */
const jobSchema = z.looseObject({
  id: z.string(),
  deadlineMs: z.number().optional(),
  by: z.string(),
  at: z.string(),
  task: z.string().optional(),
  fromBase: z.literal(true).optional(),
});

/** What is known of a message beside its job. */
export type Sent = { readonly id: string; readonly deadlineMs: number };

/** What is sent. */
export function jobText({ by, at, task, fromBase }: Job, { id, deadlineMs }: Sent): string {
  return JSON.stringify({ id, by, at, task, fromBase, deadlineMs });
}

/**
 * The job of a message. Somebody else may have put it there: what it does not say is not known.
 *
 * @returns `undefined`: it stands for a task, and does not say which.
 */
export function parseJob(
  { lane, needs, key }: JobPlace,
  text: string,
): ({ readonly job: Job } & { readonly [K in keyof Sent]: Sent[K] | undefined }) | undefined {
  const { data } = jobSchema.safeParse(parseJson(text));
  const sprint = sprintOfKey(key);
  const task = key === sprint ? undefined : data?.task;
  if (jobKey({ sprint, task }) !== key) return undefined;
  const rest = { lane, needs, by: data?.by ?? 'unknown', at: data?.at ?? '' };
  const of =
    task === undefined ? { ...rest, ...(data?.fromBase && { fromBase: true as const }) } : { task, ...rest };
  return { job: { sprint, ...of }, id: data?.id, deadlineMs: data?.deadlineMs };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It says nothing.
    return undefined;
  }
}
