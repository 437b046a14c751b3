import { z } from 'zod';
import { answererText, viaText } from '../answerer.ts';
import { decision, observation } from '../descriptor.ts';
import { nameSchema, textSchema } from '../field-schemas.ts';

const noteId = nameSchema;

/** By what a note reaches an agent: into the turn that goes on, with a turn of its own, in the result of a call, in its prompt. */
export const noteWaySchema = z.enum(['steering', 'turn', 'call', 'prompt']);
/** One of {@link noteWaySchema}. */
export type NoteWay = z.infer<typeof noteWaySchema>;

/**
 * Facts about what a human tells the agent of a task unasked. Subject: the task. A note answers no question and allows
 * no call.
 */
export const noteEvents = {
  /** `via` as in `help.answered`. */
  'note.sent': decision({
    data: () => z.strictObject({ noteId, text: textSchema, by: nameSchema, via: nameSchema }),
    verb: 'send a note about',
    text: ({ text, by, via }) => `${answererText(by)} ${viaText(via)}: ${text}`,
    reaches: { task: 'own' },
    mark: 'answer',
    // It has to arrive.
    unredacted: { text: true },
  }),
  /** The agent `to` is being told; nobody else tells it meanwhile. */
  'note.taken': observation({
    data: () => z.strictObject({ noteId, to: nameSchema, way: noteWaySchema }),
    title: 'Note on its way',
    text: ({ to }) => `for ${to}`,
  }),
  /** It did not reach that agent, and waits again. */
  'note.returned': observation({
    data: () => z.strictObject({ noteId, to: nameSchema, why: textSchema }),
    text: ({ why }) => why,
  }),
  /** It has reached the agent `to`. */
  'note.delivered': observation({
    data: () => z.strictObject({ noteId, to: nameSchema, way: noteWaySchema }),
    text: ({ to, way }) => `to ${to}, ${wayText[way]}`,
  }),
};

const wayText: Readonly<Record<NoteWay, string>> = {
  steering: 'into its turn',
  turn: 'with a turn of its own',
  call: 'with the result of a call',
  prompt: 'with its prompt',
};
