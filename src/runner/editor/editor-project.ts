import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { HeldPolicy } from '../../gateway/permission/held-policy.ts';
import type { HeldLock } from '../../lib/files/kernel-lock.ts';
import type { Candidate } from '../../machines/legality.ts';
import { holdEditorLock } from '../../workflow/project/editor-lock.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';

/** So many facts may wait for the log before the agent has to. */
const MAX_WAITING = 500;

/** Whose environment, and who is told of problems. */
export type EditorProjectDeps = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (problem: unknown) => void;
};

/**
 * A project that somebody works on in an editor. It is opened, and its `.clifford/` made where there is none, once there
 * is something to record or to ask.
 */
export class EditorProject {
  /** What holds for the agent here, from the first session on. */
  readonly policy: HeldPolicy;
  readonly #root: string;
  readonly #deps: EditorProjectDeps;
  #opened: Promise<Project> | undefined;
  #lock: HeldLock | undefined;
  #waiting: Candidate[] = [];
  #writing: Promise<void> | undefined;

  constructor(root: string, deps: EditorProjectDeps) {
    this.#root = root;
    this.#deps = deps;
    this.policy = new HeldPolicy({ root, ...deps });
    void this.policy.begin();
  }

  /**
   * The open project. As long as it is open what the agent starts is not taken for a human.
   *
   * @throws {CliffordError} when its log cannot be read, or its folder not be written; the next call tries again.
   */
  get(): Promise<Project> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Records facts behind the agent's back, in order. What cannot be written is reported. */
  note(facts: readonly Candidate[]): void {
    if (facts.length === 0) return;
    this.#waiting.push(...facts);
    this.#writing ??= this.#write();
  }

  /** Resolves when all that was noted is in the log; `undefined`: there is nothing to wait for. */
  settled(): Promise<void> | undefined {
    return this.#writing;
  }

  /** The same, where more would be too much. */
  pace(): Promise<void> | undefined {
    return this.#waiting.length > MAX_WAITING ? this.#writing : undefined;
  }

  async close(): Promise<void> {
    await this.#writing;
    try {
      await (await this.#opened)?.close();
    } catch {
      // Who needed it was told.
    } finally {
      this.#lock?.release();
    }
  }

  async #open(): Promise<Project> {
    try {
      const project = await openProject({
        root: this.#root,
        source: '/clifford/editor',
        env: this.#deps.env,
      });
      this.#lock ??= holdEditorLock(project.dir);
      return project;
    } catch (error) {
      this.#opened = undefined;
      throw error;
    }
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const facts = this.#waiting.splice(0);
      try {
        const project = await this.get();
        // The same array a second time is in the log once.
        await project.record(ADHOC_STREAM, facts).catch(async () => project.record(ADHOC_STREAM, facts));
      } catch (error) {
        this.#deps.report(error);
      }
    }
    this.#writing = undefined;
  }
}
