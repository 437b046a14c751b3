import type { StoredEvent } from '../../events/envelope.ts';
import type { ProjectState, RequestState } from '../../machines/project-state.ts';
import { withShownAnswer } from '../../views/calls/shown-words.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import { questionRecord, type QuestionRecord } from '../../workflow/requests/question-record.ts';
import { requestsOpenedBy } from './requests-opened-by.ts';

/** Who is told of blocks: a listener that throws must not hurt the reader of the log, so it is told apart from it. */
export type BlockListener = {
  readonly opened: (record: QuestionRecord) => void;
  readonly resolved: (end: { requestId: string; task: string; response: string }) => void;
  readonly dismissed: (end: { requestId: string; task: string }) => void;
};

/** Questions that were told as blocks and whose end was not yet: each is told once, and its end once. */
export class OpenBlocks {
  readonly #open = new Map<string, { readonly stream: string; readonly task: string }>();
  readonly #listener: BlockListener;

  constructor(listener: BlockListener) {
    this.#listener = listener;
  }

  /** Forgets them: nothing more is told of them. */
  clear(): void {
    this.#open.clear();
  }

  /** Tells what these events have opened, and what has ended with them. */
  tell(events: readonly StoredEvent[], state: ProjectState): void {
    for (const request of requestsOpenedBy(events, state)) this.#tellOpen(request);
    this.#tellEnds(state);
  }

  /** Tells what is open in a log that is read from here on, and the end of what is not in it: nobody will ever answer that. */
  tellAll(state: ProjectState): void {
    for (const request of openRequests(state)) if (!this.#open.has(request.id)) this.#tellOpen(request);
    this.#tellEnds(state);
    for (const [id, { stream, task }] of this.#open) {
      if (state.streams.get(stream)?.requests.has(id)) continue;
      this.#open.delete(id);
      queueMicrotask(() => this.#listener.dismissed({ requestId: id, task }));
    }
  }

  #tellEnds(state: ProjectState): void {
    for (const [id, { stream }] of this.#open) {
      const request = state.streams.get(stream)?.requests.get(id);
      if (request && request.phase !== 'open') this.#tellEnd(request);
    }
  }

  #tellOpen(request: RequestState): void {
    const record = questionRecord(request);
    this.#open.set(request.id, { stream: request.stream, task: record.task });
    queueMicrotask(() => this.#listener.opened(record));
  }

  #tellEnd(request: RequestState): void {
    this.#open.delete(request.id);
    const { requestId, task } = questionRecord(request);
    queueMicrotask(() => {
      const { answer } = withShownAnswer(request);
      if (answer) this.#listener.resolved({ requestId, task, response: answer.response });
      else this.#listener.dismissed({ requestId, task });
    });
  }
}
