import { createSprintState } from '../../machines/project-state.ts';
import { summariseAll } from '../../views/sprints/sprint-summary.ts';
import type { SprintTotals } from '../../views/sprints/summary-facts.ts';
import type { Project } from '../../workflow/project/project.ts';

type Totals = Omit<SprintTotals, 'uncommitted'>;
type Known = { readonly version: number; readonly totals: Promise<Totals> };

/** What sprints took. The log is read once for all who ask between two events. */
export class LatestTotals {
  readonly #project: Project;
  readonly #known = new Map<string, Known>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** @throws {CliffordError} why the log cannot be read. */
  of(stream: string): Promise<Totals> {
    const version = this.#project.state.streams.get(stream)?.version ?? 0;
    const known = this.#known.get(stream);
    if (known?.version === version) return known.totals;
    const totals = this.#read(stream);
    this.#known.set(stream, { version, totals });
    // A later one may stand there by then.
    totals.catch(() => this.#known.get(stream)?.totals === totals && this.#known.delete(stream));
    return totals;
  }

  async #read(stream: string): Promise<Totals> {
    const sprint = this.#project.state.streams.get(stream) ?? createSprintState(stream);
    const summary = await summariseAll(sprint, {
      read: this.#project.log.read({ stream }),
      // What there is in the working tree is beside its tasks.
      lookAtFiles: () => Promise.resolve(undefined),
    });
    const { tookMs, workedMs, waitedMs, attempts, questions, approvals, refused, commits, files, usage } =
      summary;
    return { tookMs, workedMs, waitedMs, attempts, questions, approvals, refused, commits, files, usage };
  }
}
