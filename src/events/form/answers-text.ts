import type { FormAnswer, FormQuestion } from './form.ts';

/** What a human answered to the questions of a form, for agents, logs and people: each question by its title. */
export function answersText(questions: readonly FormQuestion[], answers: readonly FormAnswer[]): string {
  return questions
    .map(
      (question, at) =>
        `${question.title}:${answerText(
          question,
          answers.find((each) => each.question === at),
        )}`,
    )
    .join('\n');
}

/** What a human answered, for one line: of a form `Database: SQLite; Features: Login, Export`. */
export function answerLine({
  response,
  answers,
}: {
  readonly response: string;
  readonly answers?: readonly FormAnswer[] | undefined;
}): string {
  if (answers === undefined) return response;
  const lines: string[] = [];
  for (const line of response.split('\n')) {
    const before = lines.at(-1);
    const part = line.replace(/^(?:- | {2})/, '');
    if (before === undefined || part === line) lines.push(line);
    else lines.splice(-1, 1, `${before}${line.startsWith('- ') && !before.endsWith(':') ? ',' : ''} ${part}`);
  }
  return lines.join('; ');
}

/** Behind its title on the same line where there is one part of one line, else a line for each part. */
function answerText(question: FormQuestion, answer: FormAnswer | undefined): string {
  const parts = answerParts(question, answer);
  const [only = '(no answer)', ...others] = parts;
  if (others.length === 0 && !only.includes('\n')) return ` ${only}`;
  return parts.map((part) => `\n- ${part.replaceAll('\n', '\n  ')}`).join('');
}

/** The options that were chosen, and the human's words; those beside options say that they are. */
export function answerParts({ options = [] }: FormQuestion, answer: FormAnswer | undefined): string[] {
  const chosen = answer?.options.flatMap((at) => options[at]?.label ?? []) ?? [];
  const { words } = answer ?? {};
  if (words === undefined) return chosen;
  return [...chosen, chosen.length === 0 ? words : `in own words: ${words}`];
}
