import { questionsOf, type FormAnswer } from '../../../events/form/form.ts';
import { optionWithText } from '../../../lib/text/option-meant.ts';
import { isUnseen } from '../../../lib/text/hidden-characters.ts';
import { clip } from '../../../lib/text/clip.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import type { RequestState } from '../../../machines/project-state.ts';
import { takesEmpty } from '../../../views/requests/takes-empty.ts';
import { answersUnfit } from '../../../workflow/requests/answer-input.ts';

type Said = {
  readonly response?: string | undefined;
  readonly option?: number | undefined;
  readonly answers?: readonly FormAnswer[] | undefined;
};

/**
 * An answer says something, the positions that it names are there, and its option is what its words say. Positions count from 0
 * in the API, and from 1 wherever a human reads them: what is wrong is said in the numbers that were sent.
 *
 * @throws {CliffordError} `ANSWERS_UNFIT`.
 */
export function requireFit(request: RequestState, { response, option, answers = [] }: Said): void {
  const { asked, phase } = request;
  // Who was first is told whatever is said now.
  if (phase !== 'open') return;
  if (response !== undefined && isUnseen(response) && !takesEmpty(asked))
    throw answersUnfit(request, 'the answer is empty');
  const questions = questionsOf(asked);
  for (const { question, options } of answers) {
    if (question >= questions.length)
      throw answersUnfit(request, `there is no question ${question}: ${rangeText('questions', questions)}`);
    const offered = questions[question]?.options ?? [];
    const unknown = options.find((each) => each >= offered.length);
    if (unknown !== undefined)
      throw answersUnfit(
        request,
        `question ${question} has no option ${unknown}: ${rangeText('options', offered)}`,
      );
  }
  if (option === undefined) return;
  const offered = asked.options ?? [];
  const words = offered[option];
  if (words === undefined)
    throw answersUnfit(request, `there is no option ${option}: ${rangeText('options', offered)}`);
  const said = response ?? '';
  const isSaid = words === said || (!offered.includes(said) && optionWithText([words], said) === 0);
  if (!isSaid)
    throw answersUnfit(
      request,
      `option ${option} is “${clip(visibleLine(words), 60)}”, not what its response says: ${rangeText('options', offered)}`,
    );
}

function rangeText(what: string, { length }: readonly unknown[]): string {
  return length === 0 ? 'none are offered' : `${what} count from 0 in the API, here to ${length - 1}`;
}
