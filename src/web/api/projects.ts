import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { timeSchema } from './fields.ts';
import { questionHeadSchema } from './question.ts';

/** A project in the list of all. */
export const projectRowSchema = z.object({
  /** As the user's list of projects has it. */
  name: z.string(),
  /** Where its page and its API are, as an address from that of the list. */
  path: z.string(),
  /** Why it cannot be looked at now, in a line: it is tried again. Then nothing is known of it. */
  whyNot: z.string().optional(),
  /** Nothing is wrong with it: it is being opened. */
  isOpening: z.literal(true).optional(),
  sprints: z.int().nonnegative(),
  /** How many of them stand how, for people: `3 sprints: 1 active · 1 queued · 1 done`. */
  standing: z.string(),
  /** The tasks of all of its sprints, and how many of them are over, and how, or wait for a human. */
  tasks: z
    .object({
      total: z.int(),
      done: z.int(),
      failed: z.int(),
      /** Skipped or cancelled. */
      setAside: z.int(),
      blocked: z.int(),
    })
    .optional(),
  /** When something happened in it last; absent: nothing has. */
  lastEventAt: timeSchema.optional(),
  /** Sprints that somebody is at work on. */
  running: z.int().nonnegative(),
  /** Questions and calls that wait for a human. */
  waiting: z.int().nonnegative(),
  /** That of them with the greatest risk; of several what waits longest. */
  first: questionHeadSchema.optional(),
});
/** See {@link projectRowSchema}. */
export type SentProjectRow = z.infer<typeof projectRowSchema>;

/** All projects of the user's list. */
export const projectsSchema = z.object({
  /** Of the program. */
  version: z.string(),
  /** The server's clock, when this was sent. */
  now: timeSchema,
  /** Those first in which something waits, the greatest risk first. */
  projects: z.array(projectRowSchema),
  /** Why the list itself cannot be read; the projects are those that it had before. */
  problem: z.string().optional(),
});
/** See {@link projectsSchema}. */
export type SentProjects = z.infer<typeof projectsSchema>;

/** What a server of several projects can be asked itself; each of them answers everything else below its own path. */
export const everywhereEndpoints = {
  projects: {
    method: 'get',
    path: '/api/projects',
    summary: 'All projects, how many sprints run in each, and what waits',
    needs: 'read',
    response: projectsSchema,
  },
} as const satisfies Record<string, Endpoint>;
