import { z } from 'zod';
import type { Job } from '../../queue/job-queue.ts';
import type { JobPlace } from './queue-names.ts';

/** What a message of the queue says beyond its subject. `id`: by which it is known when it was sent twice. */
const jobSchema = z.looseObject({ id: z.string(), by: z.string(), at: z.string() });

/** What is sent. */
export function jobText({ by, at }: Job, id: string): string {
  return JSON.stringify({ id, by, at });
}

/** The job of a message. Somebody else may have put it there: what it does not say is not known. */
export function parseJob(place: JobPlace, text: string): Job {
  const { data } = jobSchema.safeParse(parseJson(text));
  return { ...place, by: data?.by ?? 'unknown', at: data?.at ?? '' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It says nothing.
    return undefined;
  }
}
