import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Candidate } from '../../machines/legality.ts';
import type { TaskNote } from '../../machines/task-state.ts';
import {
  deliveredNotes,
  returnedNotes,
  takeNotes,
  type NotesPlace,
} from '../../workflow/notes/deliver-notes.ts';
import { noteText } from '../../workflow/notes/note-text.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import type { ToolCall } from '../../gateway/call/tool.ts';

type Caller = Pick<ToolCall, 'project' | 'agent' | 'session'>;
type Taken = { readonly notes: readonly TaskNote[]; readonly place: NotesPlace };

/** Notes from a human that the result of one call tells its agent. */
export class CallNotes {
  readonly #caller: Caller;
  readonly #taken: Taken[] = [];

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Those about a task that wait, for the result to tell. */
  readonly take = async (stream: string, taskId: string): Promise<readonly TaskNote[]> => {
    const { project, agent } = this.#caller;
    const place = { stream, taskId, to: agent.id };
    const notes = await takeNotes(project, place, 'call');
    if (notes.length > 0) this.#taken.push({ notes, place });
    return notes;
  };

  /**
   * The result with the notes about the task of its agent's attempt. One with a structure tells none: agents show their
   * model that alone, and it is the tool's own.
   */
  async addTo(result: CallToolResult): Promise<CallToolResult> {
    const { project, agent, session } = this.#caller;
    if (result.structuredContent !== undefined || agent.runId === undefined) return result;
    await project.refresh();
    const own = ownTask(project.state, agent, session);
    if (own?.task.machine.context.runId !== agent.runId) return result;
    const notes = await this.take(own.sprint.id, own.task.id);
    if (notes.length === 0) return result;
    return { ...result, content: [...result.content, { type: 'text', text: noteText(notes) }] };
  }

  /** The result has reached the agent. */
  async delivered(): Promise<void> {
    await this.#record(({ notes, place }) => deliveredNotes(notes, place, 'call'));
  }

  /** It has not. */
  async returned(why: string): Promise<void> {
    await this.#record(({ notes, place }) => returnedNotes(notes, place, why));
  }

  async #record(factsOf: (taken: Taken) => readonly Candidate[]): Promise<void> {
    for (const taken of this.#taken) await this.#caller.project.record(taken.place.stream, factsOf(taken));
  }
}
