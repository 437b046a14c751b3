import { CliffordError } from '../../errors.ts';
import { answerHistory } from '../../views/requests/answer-history.ts';
import type { Project } from '../../workflow/project/project.ts';
import { answerRequest, dismissRequest } from '../../workflow/requests/answer.ts';
import type { Answerer } from '../../workflow/requests/close-request.ts';
import { asksSecret } from '../../views/requests/asks-secret.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import type { Recording, Word } from '../terminal/recording.ts';
import type { ScreenActor } from './screen-actor.ts';
import { isAwaited, isParked, whoIsTold } from './who-is-told.ts';

type AnswerDeps = {
  readonly project: Project;
  readonly answerer: Answerer;
  readonly recording: Recording;
  readonly fail: (error: unknown) => void;
};

/** Where an answer is typed. */
const inBox = { back: { at: 'answer' }, again: 'press Enter again' } as const satisfies Partial<Word>;

/** Records what a person says to questions on a screen. */
export function recordAnswers(actor: ScreenActor, { project, answerer, recording, fail }: AnswerDeps): void {
  actor.on('answer', ({ id, response, option, answers }) => {
    const answer = { ...answerer, response, option, answers };
    const next = isParked(project, id) ? 'the agent starts again' : 'the next attempt is told';
    const failed = (error: unknown) => {
      if (!(error instanceof CliffordError) || error.code !== 'ANSWERS_UNFIT') return fail(error);
      const why = error.message.replace(`Cannot answer ${id}:`, 'Not sent:');
      actor.send({ type: 'unsent', id, why, back: inBox.back });
    };
    const request = requestById(project.state, id);
    const { kind, untypable } = request?.asked ?? {};
    const atPrompt = untypable
      ? 'the attempt ends, and the next one is told'
      : 'it is typed into the program';
    const heard = kind === 'prompt' ? atPrompt : 'the agent goes on';
    const done = `Answered, ${isAwaited(project, id) ? heard : next}`;
    const isSecret = request !== undefined && asksSecret(request.asked);
    const said = response ?? answers?.flatMap(({ words: own }) => own ?? []) ?? [];
    const words = isSecret || option !== undefined ? [] : [said].flat();
    recording.close(id, { ...inBox, done, words, failed }, answerRequest(project, id, answer));
  });
  actor.on('reject', ({ id, reason }) => {
    const answer = { ...answerer, response: reason, rejected: true } as const;
    const done = `Rejected, ${whoIsTold(project, id)} is told why`;
    const back = { at: 'reject', back: 'answer' } as const;
    recording.close(id, { ...inBox, done, back }, answerRequest(project, id, answer));
  });
  actor.on('rephrase', ({ id, how }) => {
    const answer = { ...answerer, response: how, rephrase: true } as const;
    const done = `Asked for other words, ${whoIsTold(project, id)} is told`;
    const back = { at: 'rephrase', back: 'answer' } as const;
    recording.close(id, { ...inBox, done, back }, answerRequest(project, id, answer));
  });
  actor.on('dismiss', ({ id }) => {
    const isHeard = isAwaited(project, id) || isParked(project, id);
    const done = isHeard ? 'Dismissed, the agent is told' : 'Dismissed';
    recording.close(id, { ...inBox, done, again: 'dismiss it again' }, dismissRequest(project, id, answerer));
  });
  // It is answered in a turn of its own, as every effect.
  actor.on('recall', ({ id }) =>
    queueMicrotask(() => actor.send({ type: 'recalled', id, answers: answerHistory(project.state) })),
  );
}
