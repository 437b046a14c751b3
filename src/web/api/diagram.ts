import { z } from 'zod';
import type { Diagram, DiagramState } from '../../machines/diagram/model.ts';
import type { MachinePath, PathState } from '../../views/events/machine-path.ts';
import { timeSchema } from './fields.ts';
import { viewSchema, type Sent } from './view-schema.ts';

const transitionSchema = z.object({
  /** Dotted paths: `active.starting`. */
  source: z.string(),
  target: z.string(),
  event: z.string(),
  guard: z.string().optional(),
});

/** What the events of its transitions are called for people, by their types: `task.reset` is `Task reset`. */
const titlesSchema = z.record(z.string(), z.string());

/** See {@link titlesSchema}. */
type Titled = { readonly titles: Readonly<Record<string, string>> };

/** A state of a machine, with those in it. */
export const diagramStateSchema: z.ZodType<Sent<DiagramState>> = z.object({
  id: z.string(),
  name: z.string(),
  isInitial: z.boolean(),
  isEnd: z.boolean(),
  get children() {
    return z.array(diagramStateSchema);
  },
});

/** The machines that there are. */
export const machineSchema = z.enum(['sprint', 'task', 'request']);

/** The states and transitions of a machine. */
export const diagramSchema = viewSchema<Diagram & Titled & { readonly mermaid: string }>()(
  z.object({
    name: z.string(),
    states: z.array(diagramStateSchema),
    transitions: z.array(transitionSchema),
    /** The same as Mermaid text. */
    mermaid: z.string(),
    titles: titlesSchema,
  }),
);

/** A state as it was gone through, with those in it. */
export const pathStateSchema: z.ZodType<Sent<PathState>> = z.object({
  id: z.string(),
  name: z.string(),
  isNow: z.boolean(),
  visits: z.int(),
  get children() {
    return z.array(pathStateSchema);
  },
});

/** The way that a task went through the states of its machine, and where it stands. */
export const machinePathSchema = viewSchema<
  MachinePath & Titled & { readonly callTitles: Readonly<Record<string, string>> }
>()(
  z.object({
    /** The state that it is in, or was at the version that was asked for. */
    now: z.string(),
    states: z.array(pathStateSchema),
    transitions: z.array(transitionSchema),
    /** Transitions that were taken, the latest first. */
    steps: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        event: z.string(),
        /** The request that it is about is a call that waits for a yes or no. */
        isOfCall: z.boolean().optional(),
        count: z.int(),
        time: timeSchema,
      }),
    ),
    length: z.int(),
    titles: titlesSchema,
    /** What those of them are called that are about a call, where that is otherwise. */
    callTitles: titlesSchema,
  }),
);
/** See {@link diagramSchema}. */
export type SentDiagram = z.infer<typeof diagramSchema>;
/** See {@link machinePathSchema}. */
export type SentPath = z.infer<typeof machinePathSchema>;
