import { z } from 'zod';

/** Most tasks that may be worked on at once. */
const MAX_PARALLEL = 64;

/** How many tasks are worked on at once. */
export const parallelSchema = z
  .int()
  .min(1)
  .max(MAX_PARALLEL)
  .describe('How many tasks are worked on at once, each in a git worktree of its own');

/** A file or folder of the project, named from its root. */
const insideSchema = z
  .string()
  .min(1)
  .refine(
    (path) => !/^(?:[/\\]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..'),
    'expected a path below the project',
  );

/** The worktrees of tasks that are worked on at once. */
export const worktreesSchema = z
  .strictObject({
    dir: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder of the worktrees, relative to the project, outside of it; default: `../<its name>.worktrees`, and of a part of a repository beside that',
      ),
    setup: z
      .string()
      .trim()
      .min(1)
      .max(8_192)
      .optional()
      .describe('Command that makes a new worktree fit for work, such as npm ci'),
    copy: z
      .array(insideSchema)
      .default([])
      .describe('Files and folders that git does not have and a worktree needs, such as .env'),
    env: z
      .record(z.string().min(1), z.string())
      .default({})
      .describe(
        'Environment variables of agents and commands in a worktree; {slot} is its number, {port:3000} a port of its own from there on, {task} its task',
      ),
    onConflict: z
      .enum(['ask', 'agent'])
      .default('ask')
      .describe(
        'Who goes on where changes of a task cannot be merged: a human is asked, or the task goes to an agent again, twice at most',
      ),
  })
  .prefault({});

/** What a task says it changes: files and folders below the project, what follows a wildcard does not count. */
export const pathsSchema = z.array(insideSchema).min(1);
