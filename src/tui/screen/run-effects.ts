import { CliffordError } from '../../errors.ts';
import { decideActs } from './decide-acts.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { answerRequest, dismissRequest } from '../../workflow/requests/answer.ts';
import { approve, deny } from '../../workflow/requests/approval.ts';
import type { Answerer, CloseOutcome } from '../../workflow/requests/close-request.ts';
import { editOutcome } from '../../workflow/requests/edited-call.ts';
import { count } from '../../lib/text/count.ts';
import { decideAll } from '../../workflow/requests/decide-all.ts';
import { explainFirst } from '../../workflow/requests/explain-first.ts';
import { parkedFor } from '../../machines/parked.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import type { Revealed } from '../../views/call-card.ts';
import { answerHistory } from '../../views/answer-history.ts';
import { howClosed } from '../text/how-closed.ts';
import type { ScreenActor } from './screen-actor.ts';
import type { Notice } from './screen-state.ts';
import type { StopKey } from './focus.ts';

type EffectDeps = {
  readonly project: Project;
  /** The sprint's stream. */
  readonly stream: string;
  /** The human in front of the screen. */
  readonly by: string;
  /** The whole arguments of a call that waits; `undefined`: nobody has them any more. */
  readonly reveal: (request: RequestState) => Promise<Revealed | undefined>;
  /** Allows a call as this text makes it. @throws {CliffordError} when it cannot be: the call waits on. */
  readonly edit: (request: RequestState, text: string, answerer: Answerer) => Promise<CloseOutcome>;
  readonly stop: (key: StopKey) => void;
  readonly decided: () => void;
  readonly runAgain: (retries: boolean) => void;
  readonly kill: () => void;
  readonly detach: () => void;
  readonly leave: () => void;
  /** Leaves for a run of the sprint, where it may have one. */
  readonly start: () => void;
  /** Ends the screen with an error. */
  readonly fail: (error: unknown) => void;
};

/** Runs the effects that a screen emits, and tells it what became of them. */
export function runEffects(
  actor: ScreenActor,
  {
    project,
    stream,
    by,
    reveal,
    edit,
    stop,
    decided,
    runAgain,
    kill,
    detach,
    leave,
    start,
    fail,
  }: EffectDeps,
): {
  /** Resolves when nothing is being recorded any more. Never rejects: errors go to `fail`. */
  settled: () => Promise<void>;
} {
  const answerer = { by, via: 'tui' };
  const pending = new Set<Promise<void>>();
  const isAwaited = (id: string) => (requestById(project.state, id)?.waiting.size ?? 0) > 0;
  const isParked = (id: string) => {
    const request = requestById(project.state, id);
    return request !== undefined && parkedFor(project.state, request) !== undefined;
  };
  const whomOf = (id: string) => (isAwaited(id) || isParked(id) ? 'the agent' : 'the next attempt');

  const record = (
    id: string,
    done: string,
    recording: Promise<CloseOutcome>,
    failed: (error: unknown) => void = fail,
  ) => {
    const told = recording.then((outcome) => {
      const notice: Notice = outcome.accepted ? { tone: 'ok', text: done } : lost(outcome);
      actor.send({ type: 'outcome', id, notice });
    }, failed);
    pending.add(told);
    void told.finally(() => pending.delete(told));
  };

  actor.on('answer', ({ id, response, option }) => {
    const answer = { ...answerer, response, option };
    const next = isParked(id) ? 'the agent starts again' : 'the next attempt is told';
    const done = `Answered, ${isAwaited(id) ? 'the agent goes on' : next}`;
    record(id, done, answerRequest(project, id, answer));
  });
  actor.on('reject', ({ id, reason }) => {
    const answer = { ...answerer, response: reason, rejected: true } as const;
    record(id, `Rejected, ${whomOf(id)} is told why`, answerRequest(project, id, answer));
  });
  actor.on('dismiss', ({ id }) => {
    const done = isAwaited(id) || isParked(id) ? 'Dismissed, the agent is told' : 'Dismissed';
    record(id, done, dismissRequest(project, id, answerer));
  });
  actor.on('approve', ({ id, scope }) => {
    const far = { once: '', task: ' in this task', sprint: ' in this sprint', always: ' always' }[scope];
    const later = isParked(id) ? 'the agent starts again' : 'the call runs when the agent makes it again';
    const done = isAwaited(id) ? 'the call runs' : later;
    record(id, `Approved${far}, ${done}`, approve(project, id, { ...answerer, scope }));
  });
  actor.on('decide-all', ({ ids, verdict, reason }) => {
    const calls = ids.flatMap((id) => requestById(project.state, id) ?? []);
    const all = decideAll(project, calls, { ...answerer, verdict, response: reason });
    const told = reason === undefined ? 'told' : 'told why';
    const of = count(calls.length, 'call');
    const done =
      verdict === 'approved' ? `Approved ${of}, each once` : `Denied ${of}, their agents are ${told}`;
    for (const id of ids) {
      const isThis = (each: RequestState) => each.id === id;
      const outcome = all.then(({ decided, lost: others }): CloseOutcome => {
        const request = decided.find(isThis);
        return request ? { accepted: true, request } : { accepted: false, request: others.find(isThis) };
      });
      record(id, done, outcome);
    }
  });
  actor.on('deny', ({ id, reason }) => {
    const told = reason === undefined ? 'told' : 'told why';
    record(id, `Denied, ${whomOf(id)} is ${told}`, deny(project, id, { ...answerer, reason }));
  });
  actor.on('explain', ({ id, question }) => {
    const done = 'Asked: the call does not run for now, and comes back with what the agent says';
    record(id, done, explainFirst(project, id, { ...answerer, question }));
  });
  actor.on('edit', ({ id, text }) => {
    const request = requestById(project.state, id);
    const { approval } = request?.asked ?? {};
    if (!request || !approval) return;
    record(
      id,
      `Changed: ${editOutcome(approval, request.stream)}`,
      edit(request, text, answerer),
      (error) => {
        if (!(error instanceof CliffordError) || !error.code.startsWith('EDIT_')) return fail(error);
        const why = error.message.replace(`Cannot edit ${id}:`, 'Not changed:');
        const notice = { tone: 'warning', text: `${why}. i: decide` } as const;
        actor.send({ type: 'unsent', id, notice });
      },
    );
  });
  actor.on('reveal', ({ id }) => {
    const request = requestById(project.state, id);
    if (request === undefined) return;
    void reveal(request).then((whole) => actor.send({ type: 'revealed', id, whole }), fail);
  });
  // It is answered in a turn of its own, as every effect.
  actor.on('recall', ({ id }) =>
    queueMicrotask(() => actor.send({ type: 'recalled', id, answers: answerHistory(project.state) })),
  );
  decideActs(actor, { project, stream, by, decided, fail, pending });
  actor.on('stop', ({ key }) => stop(key));
  actor.on('run-again', ({ retries }) => runAgain(retries));
  actor.on('kill', kill);
  actor.on('detach', detach);
  actor.on('leave', leave);
  actor.on('start', start);

  return {
    settled: async () => {
      await Promise.all(pending);
    },
  };
}

function lost({ request }: CloseOutcome): Notice {
  const text = request ? howClosed(request) : 'The question is not in the log any more';
  return { tone: 'warning', text: `Not recorded. ${text}` };
}
