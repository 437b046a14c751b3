import { taskOf } from '../../../events/envelope.ts';
import type { Project } from '../../../workflow/project/project.ts';
import {
  followTranscripts,
  type FollowedTranscripts,
} from '../../../workflow/transcripts/follow-transcripts.ts';
import type { OutputPiece } from '../../api/output.ts';

type OutputDeps = {
  /** What an agent has written, as JSON of an {@link OutputPiece}. */
  readonly wrote: (sprint: string, task: string, json: string) => void;
  /** Another agent was started on a task. */
  readonly begun: (sprint: string, task: string) => void;
};

/** Follows what agents write, in the sprints that somebody looks at. */
export class LiveOutput {
  readonly #project: Project;
  readonly #deps: OutputDeps;
  readonly #followed = new Map<string, FollowedTranscripts>();

  constructor(project: Project, deps: OutputDeps) {
    this.#project = project;
    this.#deps = deps;
  }

  /** Begins to follow a sprint, and gives out what its agents have written since the last look. */
  follow(sprint: string): void {
    const known = this.#followed.get(sprint);
    if (known) return known.read();
    const { wrote, begun } = this.#deps;
    const following = followTranscripts(
      this.#project,
      sprint,
      (task, text, runId) => {
        const piece: OutputPiece = { sprint, task, runId, text };
        wrote(sprint, task, JSON.stringify(piece));
      },
      ({ subject }) => begun(sprint, taskOf(subject) ?? sprint),
    );
    this.#followed.set(sprint, following);
  }

  /** Nobody looks at it any more. */
  leave(sprint: string): void {
    this.#followed.get(sprint)?.stop();
    this.#followed.delete(sprint);
  }

  /** Gives out what is there, where the system has told nobody. */
  read(): void {
    for (const following of this.#followed.values()) following.read();
  }

  close(): void {
    for (const following of this.#followed.values()) following.stop();
    this.#followed.clear();
  }
}
