import type { EndReason } from '../../events/end-reason.ts';
import type { Conversation } from '../agents/agent-adapter.ts';
import type { AgentProcess } from './agent-process.ts';
import type { AttemptCourse } from './attempt-course.ts';

/** How long an agent that is spoken with has to end its turn, and then itself, before it is ended, in ms. */
const LEAVE_MS = 2_000;

type StopParts = {
  /** `undefined`: it has not been started. */
  readonly agent: () => Pick<AgentProcess, 'hangUp' | 'stop' | 'kill'> | undefined;
  /** `undefined`: it is only read. */
  readonly conversation: Pick<Conversation, 'cancel' | 'leave'> | undefined;
};

/** How the agent of an attempt is ended: at once, or, where it is spoken with, after some time to end by itself. */
export class AttemptStop {
  readonly #course: AttemptCourse;
  readonly #parts: StopParts;
  #leave: NodeJS.Timeout | undefined;

  constructor(course: AttemptCourse, parts: StopParts) {
    this.#course = course;
    this.#parts = parts;
  }

  /** Its turn is over: nobody speaks with it any more. */
  hangUp(): void {
    this.#parts.agent()?.hangUp();
    this.#leaveSoon(() => this.stop('turned'));
  }

  /** Ends it, unless it has ended. The first reason counts. */
  stop(reason: EndReason, detail?: string): void {
    if (this.#course.ending) return;
    const isFirst = this.#course.phase === 'working';
    this.#course.stop({ reason, detail });
    const { conversation, agent } = this.#parts;
    // It is gone on with as if nothing had happened: it is told nothing.
    if (reason === 'parked') conversation?.leave();
    if (!conversation || reason === 'turned' || reason === 'parked') return agent()?.stop();
    if (!isFirst) return;
    this.#leaveSoon(() => agent()?.stop());
    void conversation.cancel();
  }

  /** Ends it at once, without the time that it would have had. */
  kill(): void {
    if (this.#course.ending) return;
    this.stop('stopped');
    this.#parts.agent()?.kill();
  }

  /** It has ended: nothing is left to be done. */
  end(): void {
    clearTimeout(this.#leave);
  }

  /** It may end by itself first. */
  #leaveSoon(end: () => void): void {
    clearTimeout(this.#leave);
    if (!this.#course.ending) this.#leave = setTimeout(end, LEAVE_MS);
  }
}
