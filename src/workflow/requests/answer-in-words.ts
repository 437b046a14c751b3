import { questionsOf } from '../../events/form/form.ts';
import { readAnswers } from '../../events/form/read-answers.ts';
import type { Project } from '../project/project.ts';
import { actorOf, type ProjectOptions } from '../project/project-options.ts';
import { decider, requireHuman } from '../project/require-human.ts';
import type { PlaceOfWork } from '../project/who-calls.ts';
import { answerRequest } from './answer.ts';
import { knownRequest, type Answerer, type CloseOutcome } from './close-request.ts';
import { answersUnfit, type AnswerInput } from './answer-input.ts';
import { optionWithText } from '../../lib/text/option-meant.ts';

/** Who decides through an object of the library: the human that its options name, or the agent whose process it is in. */
export function apiAnswerer(options: ProjectOptions, project: PlaceOfWork): Answerer {
  const { env = process.env } = options;
  return { by: decider({ env, by: actorOf(options) }, project), via: 'api' };
}

/**
 * Answers a request as the library does, turns it down, or has it rephrased. The words of an option choose it.
 *
 * @throws {CliffordError} `APPROVAL_UNCLEAR` when a tool call waits and the words are neither yes nor no,
 *   `NOT_A_HUMAN` when it waits and an agent of a runner answers.
 */
export async function answerInWords(
  project: Project,
  id: string,
  said: AnswerInput,
  options: ProjectOptions,
): Promise<CloseOutcome> {
  const asked = (await knownRequest(project, id))?.asked;
  if (asked?.approval) requireHuman({ env: options.env ?? process.env }, `approve ${id}`, project);
  const { response } = said;
  const option = response === undefined ? undefined : optionWithText(asked?.options ?? [], response);
  return answerRequest(project, id, { ...said, option, ...apiAnswerer(options, project) });
}

/**
 * Answers the questions of a form as the library does.
 *
 * @throws {CliffordError} `ANSWERS_UNFIT`.
 */
export async function answerByTitles(
  project: Project,
  id: string,
  answers: Readonly<Record<string, unknown>>,
  options: ProjectOptions,
): Promise<CloseOutcome> {
  const request = await knownRequest(project, id);
  if (!request) return { accepted: false, request };
  const read = readAnswers(questionsOf(request.asked), answers);
  if ('problem' in read) throw answersUnfit(request, read.problem);
  return answerInWords(project, id, read, options);
}
