import { Throttle } from '../../lib/time/throttle.ts';
import { asksSecret } from '../../workflow/requests/asks-secret.ts';
import type { Question } from '../../views/sprint-view.ts';
import type { DraftFiles, KeptDraft } from './draft-files.ts';
import type { ScreenActor } from './screen-actor.ts';
import type { ScreenState } from './screen-state.ts';

/** How much typing a process may lose that is killed, in ms. */
const EVERY_MS = 300;

type Kept = Pick<ScreenState, 'drafts' | 'reasons' | 'asks' | 'forms'>;

const kinds = ['drafts', 'reasons', 'asks', 'forms'] as const;

/**
 * What was typed about these questions before, on a screen that was left or has died. Drafts of questions that are not `waiting` are
 * removed.
 */
export function keptDrafts(files: DraftFiles, open: readonly Question[], waiting: readonly string[]): Kept {
  unlessRefused(() => files.removeAllBut(waiting));
  const all = open.flatMap(({ id }) => {
    const draft = unlessRefused(() => files.read(id));
    return draft ? [{ id, draft }] : [];
  });
  const of = <K extends keyof KeptDraft>(kept: K) =>
    new Map(all.flatMap(({ id, draft: { [kept]: each } }) => (each ? [[id, each] as const] : [])));
  return { drafts: of('drafts'), reasons: of('reasons'), asks: of('asks'), forms: of('forms') };
}

/** Keeps what is typed about questions until they are closed. */
export function keepDrafts(actor: ScreenActor, files: DraftFiles): { stop: () => void } {
  let before: Kept = actor.getSnapshot().context;
  const saving = new Throttle<ScreenState>(EVERY_MS, (state) => {
    for (const id of changedSince(before, state)) save(files, state, id);
    before = state;
  });
  const watched = actor.subscribe(({ context }) => {
    if (kinds.some((kept) => context[kept] !== before[kept])) saving.push(context);
  });
  return {
    stop: () => {
      watched.unsubscribe();
      saving.end();
    },
  };
}

function changedSince(before: Kept, after: Kept): Set<string> {
  const maps = kinds.map((kept) => [before[kept], after[kept]] as const);
  return new Set(
    maps.flatMap(([old, now]) => [...old.keys(), ...now.keys()].filter((id) => old.get(id) !== now.get(id))),
  );
}

function save(files: DraftFiles, { drafts, reasons, asks, forms, sprint }: ScreenState, id: string): void {
  const question = sprint.open.find((each) => each.id === id);
  const draft = {
    drafts: drafts.get(id),
    reasons: reasons.get(id),
    asks: asks.get(id),
    forms: forms.get(id),
  };
  // What is asked for may be a password that looks like a word.
  const isSecret = question !== undefined && asksSecret(question);
  unlessRefused(() => (isSecret ? files.remove(id) : files.write(id, draft)));
}

/** A disk that is full, or a folder that is not ours, takes away no more than the draft of a screen that dies. */
function unlessRefused<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
