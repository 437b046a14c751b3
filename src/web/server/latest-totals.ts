import { clip } from '../../lib/text/clip.ts';
import { count } from '../../lib/text/count.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { createSprintState } from '../../machines/project-state.ts';
import { summariseAll } from '../../views/sprints/sprint-summary.ts';
import { decidedParts } from '../../views/events/decided-text.ts';
import type { SentTotals } from '../api/sprint.ts';
import { uncommittedChanges, type Uncommitted } from '../../workflow/commit/uncommitted-changes.ts';
import type { Project } from '../../workflow/project/project.ts';

type Known = { readonly version: number; readonly totals: Promise<SentTotals> };

/** So many decisions, and commits, are told of, each in a line. */
const MOST_LISTED = 8;
/** So long may a part of such a line be, in UTF-16 units. */
const MOST_SAID = 160;

/** What sprints took. The log is read once for all who ask between two events; files, which people change without one, anew. */
export class LatestTotals {
  readonly #project: Project;
  readonly #known = new Map<string, Known>();
  readonly #looks = new Map<string, Promise<Uncommitted | undefined>>();

  constructor(project: Project) {
    this.#project = project;
  }

  /** @throws {CliffordError} why the log cannot be read. */
  async of(stream: string): Promise<SentTotals> {
    const totals = await this.#latest(stream);
    const uncommitted = totals.commits > 0 ? undefined : await this.#lookAtFiles(stream);
    return { ...totals, ...(uncommitted && { uncommitted }) };
  }

  /** Once for all who ask meanwhile. */
  #lookAtFiles(stream: string): Promise<Uncommitted | undefined> {
    const under = this.#looks.get(stream);
    if (under) return under;
    const look = uncommittedChanges(this.#project, stream).finally(() => this.#looks.delete(stream));
    this.#looks.set(stream, look);
    return look;
  }

  #latest(stream: string): Promise<SentTotals> {
    const version = this.#project.state.streams.get(stream)?.version ?? 0;
    const known = this.#known.get(stream);
    if (known?.version === version) return known.totals;
    const totals = this.#read(stream);
    this.#known.set(stream, { version, totals });
    // A later one may stand there by then.
    totals.catch(() => this.#known.get(stream)?.totals === totals && this.#known.delete(stream));
    return totals;
  }

  async #read(stream: string): Promise<SentTotals> {
    const sprint = this.#project.state.streams.get(stream) ?? createSprintState(stream);
    const summary = await summariseAll(sprint, {
      read: this.#project.log.read({ stream }),
      // They are no part of what is kept.
      lookAtFiles: () => Promise.resolve(undefined),
    });
    const { tookMs, workedMs, waitedMs, attempts, questions, approvals, refused, unanswered } = summary;
    const { refusedByPolicy, commits, files, usage, decisions, commitsMade } = summary;
    return {
      tookMs,
      workedMs,
      waitedMs,
      attempts,
      questions,
      approvals,
      refused,
      refusedByPolicy,
      unanswered,
      commits,
      files,
      usage,
      decisions: decisions.length,
      decided: decisions.slice(-MOST_LISTED).map((each) => {
        const { about, said, who } = decidedParts(each);
        return `${clip(about, MOST_SAID)} → ${clip(said, MOST_SAID)} (${clip(who, MOST_SAID)})`;
      }),
      committed: commitsMade.slice(-MOST_LISTED).map(({ sha, task, files: changed }) => {
        const what = `${task === undefined ? '' : `${task}, `}${count(changed, 'file')}`;
        return visibleLine(`${sha.slice(0, SHA_LENGTH)}  ${what}`);
      }),
    };
  }
}

/** So much of a commit's name is one's own in any project. */
const SHA_LENGTH = 12;
