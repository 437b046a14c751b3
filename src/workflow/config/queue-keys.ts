import { z } from 'zod';

/** The shortest time that is worth waiting for a worker, in ms: a server that is started again takes as long. */
const MIN_DEADLINE_MS = 1_000;
/** A day. */
const MAX_DEADLINE_MS = 86_400_000;

/** The queue of sprints for workers. */
export const queueSchema = z
  .strictObject({
    deadline: z
      .int()
      .min(MIN_DEADLINE_MS)
      .max(MAX_DEADLINE_MS)
      .default(30_000)
      .describe('How long nothing is heard of a worker before its sprint is handed to another one, in ms'),
    losses: z
      .int()
      .min(1)
      .max(1_000)
      .default(5)
      .describe(
        'How many workers in a row a sprint may lose, with no task completed meanwhile, or machines in a row may be unable to get its files, before it is taken out of the queue',
      ),
  })
  .prefault({});

const commandSchema = z.string().trim().min(1).max(8_192).optional();

/** How a worker gets the files of a sprint, and where what was made of them goes. */
export const repositorySchema = z
  .strictObject({
    fetch: commandSchema.describe(
      'Command that brings the files of CLIFFORD_SPRINT into the folder it is run in, which is empty or has those of last time, with branch CLIFFORD_BRANCH checked out. Counts in one’s own file only',
    ),
    push: commandSchema.describe(
      'Command that brings the commits of CLIFFORD_BRANCH to where fetch finds them. Counts in one’s own file only',
    ),
  })
  .prefault({});
