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
import { requireAsSeen } from '../../workflow/requests/require-as-seen.ts';
import { seeChanges } from '../../views/calls/seen-changes.ts';
import { allowedText } from '../../views/requests/allowed-text.ts';
import { lookAtFiles, type LookedAtFiles } from '../feed/look-at-files.ts';
import type { Recording, Word } from '../terminal/recording.ts';
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

/** Throws where calls would make something else of files than was seen, and has the screen show that. */
type StillSeen = (ids: readonly string[], seen: LookedAtFiles['seen'] | undefined) => Promise<void>;

/** The card is there again, and takes no key before it was seen. */
const onCard = {
  back: { at: 'arming', dropped: 0 },
  again: 'decide again',
} as const satisfies Partial<Word>;
const again = 'press Enter again';
/** So much names a call in what is said of it, in characters: what follows has room behind it in 80 columns. */
const NAME_LENGTH = 24;

/** Records what a person decides about calls on a screen, and gets what it shows of them. */
export function decideCalls(actor: ScreenActor, deps: CallDeps): void {
  const { project, answerer, recording, reveal, fail } = deps;
  const stillSeen: StillSeen = async (ids, seen) => {
    const calls = ids.flatMap((id) => requestById(project.state, id) ?? []);
    try {
      for (const call of calls) await requireAsSeen(project, call, seen?.get(call.id), seeChanges);
    } catch (error) {
      actor.send({ type: 'compared-files', ...(await lookAtFiles(project, calls)) });
      throw error;
    }
  };
  actor.on('approve', ({ id, scope, seen }) => {
    const request = requestById(project.state, id);
    if (!request) return;
    const hears = { isAwaited: isAwaited(project, id), isParked: isParked(project, id) };
    const done = allowedText(request, { scope, call: { root: project.root, most: NAME_LENGTH }, ...hears });
    const approving = stillSeen([id], seen).then(() => approve(project, id, { ...answerer, scope }));
    recording.close(id, { ...onCard, done }, approving);
  });
  actor.on('deny', ({ id, reason }) => {
    const done = `Denied, ${whoIsTold(project, id)} is ${toldWhy(reason)}`;
    const back = { at: 'reject', back: 'arming' } as const;
    recording.close(id, { done, back, again }, deny(project, id, { ...answerer, reason }));
  });
  actor.on('decide-all', (decision) => decideBatch(decision, { ...deps, stillSeen }));
  actor.on('explain', ({ id, question }) => {
    const done = 'Asked: the call does not run for now, and comes back with what the agent says';
    recording.close(
      id,
      { done, back: { at: 'explain' }, again },
      explainFirst(project, id, { ...answerer, question }),
    );
  });
  actor.on('edit', (edit) => editCall(actor, edit, { ...deps, stillSeen }));
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
  { ids, verdict, reason, seen }: Extract<Effect, { type: 'decide-all' }>,
  { project, answerer, recording, stillSeen }: CallDeps & { readonly stillSeen: StillSeen },
): void {
  const calls = ids.flatMap((id) => requestById(project.state, id) ?? []);
  const looking = verdict === 'approved' ? stillSeen(ids, seen) : Promise.resolve();
  const all = looking.then(() => decideAll(project, calls, { ...answerer, verdict, response: reason }));
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
        ? { ...onCard, done: `Allowed ${of}, each once` }
        : { done: denied, back: { at: 'reject', back: 'batch', ids }, again };
    recording.close(id, word, outcome);
  }
}

function editCall(
  actor: ScreenActor,
  { id, text, seen }: Extract<Effect, { type: 'edit' }>,
  { project, answerer, recording, edit, fail, stillSeen }: CallDeps & { readonly stillSeen: StillSeen },
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
  const editing = stillSeen([id], seen).then(() => edit(request, text, answerer));
  recording.close(id, { done, back, again, failed }, editing);
}

function toldWhy(reason: string | undefined): string {
  return reason === undefined ? 'told' : 'told why';
}
