import { CliffordError } from '../../errors.ts';
import { count } from '../../lib/text/count.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { approve, deny } from '../../workflow/requests/approval.ts';
import type { Answerer, CloseOutcome } from '../../workflow/requests/close-request.ts';
import { decideAll } from '../../workflow/requests/decide-all.ts';
import { editOutcome } from '../../workflow/requests/edited-call.ts';
import { explainFirst } from '../../workflow/requests/explain-first.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import { lookAtFiles } from './look-at-files.ts';
import type { Recording, Word } from './recording.ts';
import type { ScreenActor } from './screen-actor.ts';
import type { Effect } from './screen-effect.ts';
import type { ShowSprintOptions } from './show-sprint-options.ts';
import { isAwaited, isParked, whoIsTold } from './who-is-told.ts';

type CallDeps = Pick<ShowSprintOptions, 'reveal' | 'edit'> & {
  readonly project: Project;
  readonly answerer: Answerer;
  readonly recording: Recording;
  readonly fail: (error: unknown) => void;
};

/** The card is there again, and takes no key before it was seen. */
const onCard = {
  back: { at: 'arming', dropped: 0 },
  again: 'decide again',
} as const satisfies Partial<Word>;
const again = 'press Enter again';

/** Records what a person decides about calls on a screen, and gets what it shows of them. */
export function decideCalls(actor: ScreenActor, deps: CallDeps): void {
  const { project, answerer, recording, reveal, fail } = deps;
  actor.on('approve', ({ id, scope }) => {
    const far = { once: '', task: ' in this task', sprint: ' in this sprint', always: ' always' }[scope];
    const later = isParked(project, id)
      ? 'the agent starts again'
      : 'the call runs when the agent makes it again';
    const done = `Approved${far}, ${isAwaited(project, id) ? 'the call runs' : later}`;
    recording.close(id, { ...onCard, done }, approve(project, id, { ...answerer, scope }));
  });
  actor.on('deny', ({ id, reason }) => {
    const done = `Denied, ${whoIsTold(project, id)} is ${toldWhy(reason)}`;
    const back = { at: 'reject', back: 'arming' } as const;
    recording.close(id, { done, back, again }, deny(project, id, { ...answerer, reason }));
  });
  actor.on('decide-all', (decision) => decideBatch(decision, deps));
  actor.on('explain', ({ id, question }) => {
    const done = 'Asked: the call does not run for now, and comes back with what the agent says';
    recording.close(
      id,
      { done, back: { at: 'explain' }, again },
      explainFirst(project, id, { ...answerer, question }),
    );
  });
  actor.on('edit', (edit) => editCall(actor, edit, deps));
  actor.on('reveal', ({ id }) => {
    const request = requestById(project.state, id);
    if (request === undefined) return;
    void reveal(request)
      .then(async (whole) => {
        const looked = whole && (await lookAtFiles(project, [request], whole));
        // Who wants to see what is hidden sees all of it.
        if (looked) actor.send({ type: 'compared-files', ...looked, foldable: new Set() });
        actor.send({ type: 'revealed', id, whole });
      })
      .catch(fail);
  });
}

function decideBatch(
  { ids, verdict, reason }: Extract<Effect, { type: 'decide-all' }>,
  { project, answerer, recording }: CallDeps,
): void {
  const calls = ids.flatMap((id) => requestById(project.state, id) ?? []);
  const all = decideAll(project, calls, { ...answerer, verdict, response: reason });
  const of = count(calls.length, 'call');
  const denied = `Denied ${of}, their agents are ${toldWhy(reason)}`;
  for (const id of ids) {
    const isThis = (each: RequestState) => each.id === id;
    const outcome = all.then(({ decided, lost }): CloseOutcome => {
      const request = decided.find(isThis);
      return request ? { accepted: true, request } : { accepted: false, request: lost.find(isThis) };
    });
    const word: Word =
      verdict === 'approved'
        ? { ...onCard, done: `Approved ${of}, each once` }
        : { done: denied, back: { at: 'reject', back: 'batch', ids }, again };
    recording.close(id, word, outcome);
  }
}

function editCall(
  actor: ScreenActor,
  { id, text }: Extract<Effect, { type: 'edit' }>,
  { project, answerer, recording, edit, fail }: CallDeps,
): void {
  const request = requestById(project.state, id);
  const { approval } = request?.asked ?? {};
  if (!request || !approval) return;
  const done = `Changed: ${editOutcome(approval, request.stream)}`;
  // What was typed is there to be changed again.
  const back = { at: 'edit' } as const;
  const failed = (error: unknown) => {
    if (!(error instanceof CliffordError) || !error.code.startsWith('EDIT_')) return fail(error);
    const why = error.message.replace(`Cannot edit ${id}:`, 'Not changed:');
    actor.send({ type: 'unsent', id, why, back });
  };
  recording.close(id, { done, back, again, failed }, edit(request, text, answerer));
}

function toldWhy(reason: string | undefined): string {
  return reason === undefined ? 'told' : 'told why';
}
