import { Throttle } from '../../lib/time/throttle.ts';
import { asksSecret } from '../../views/requests/asks-secret.ts';
import type { Question } from '../../views/sprints/sprint-view.ts';
import { isDiskFull } from '../text/not-recorded.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { DraftFiles, KeptDraft } from './draft-files.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';
import type { ScreenState } from '../screen/screen-state.ts';
import { textsTyped } from './texts-typed.ts';

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

/**
 * Keeps what is typed about questions until they are closed. What could not be written is written with what is typed or happens
 * next; the screen says so meanwhile.
 */
export function keepDrafts(actor: ScreenActor, files: DraftFiles): { stop: () => UnkeptText[] } {
  let before: Kept = actor.getSnapshot().context;
  let unkept = new Set<string>();
  const saveIn = (state: ScreenState) => {
    const wanted = new Set([...unkept, ...changedSince(before, state)]);
    const causes = new Map([...wanted].flatMap((id) => saveFailure(files, state, id)));
    before = state;
    unkept = new Set(causes.keys());
    const [why] = [...causes.values()].map((each) =>
      isDiskFull(each) ? 'the disk is full' : messageOf(each),
    );
    if (why !== state.unkept) actor.send({ type: 'unkept', why });
  };
  const saving = new Throttle<ScreenState>(EVERY_MS, saveIn);
  const watched = actor.subscribe(({ context }) => {
    if (unkept.size > 0 || kinds.some((kept) => context[kept] !== before[kept])) saving.push(context);
  });
  return {
    stop: () => {
      watched.unsubscribe();
      saving.end();
      const state = actor.getSnapshot().context;
      if (unkept.size > 0) saveIn(state);
      return [...unkept].flatMap((id) => unkeptText(state, id));
    },
  };
}

/** What was typed about a question, and is in no file. */
export type UnkeptText = { readonly question: string; readonly text: string };

function unkeptText(state: ScreenState, id: string): UnkeptText[] {
  const question = state.sprint.open.find((each) => each.id === id)?.question ?? id;
  return textsTyped(state, id).map((text) => ({ question, text }));
}

function changedSince(before: Kept, after: Kept): Set<string> {
  const maps = kinds.map((kept) => [before[kept], after[kept]] as const);
  return new Set(
    maps.flatMap(([old, now]) => [...old.keys(), ...now.keys()].filter((id) => old.get(id) !== now.get(id))),
  );
}

/** Keeps what is typed about this question now, or returns why it could not be. */
function saveFailure(
  files: DraftFiles,
  { drafts, reasons, asks, forms, sprint }: ScreenState,
  id: string,
): [id: string, cause: unknown][] {
  const question = sprint.open.find((each) => each.id === id);
  const draft = {
    drafts: drafts.get(id),
    reasons: reasons.get(id),
    asks: asks.get(id),
    forms: forms.get(id),
  };
  // What is asked for may be a password that looks like a word.
  const isSecret = question !== undefined && asksSecret(question);
  try {
    if (isSecret) files.remove(id);
    else files.write(id, draft);
    return [];
  } catch (cause) {
    return [[id, cause]];
  }
}

/** A folder that is not ours takes away no more than drafts of before. */
function unlessRefused<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
