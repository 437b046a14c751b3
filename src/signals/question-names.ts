import type { RequestState } from '../machines/project-state.ts';

const ANSWER_END = '_answer.json';

/** The ids of the question files and of the answer files among the names of a folder. Hidden files are none. */
export function idsIn(names: readonly string[]): { questions: string[]; answers: string[] } {
  const visible = names.filter((name) => name.endsWith('.json') && !name.startsWith('.') && name !== '.json');
  const [answers, questions] = [
    visible.filter((name) => name.endsWith(ANSWER_END)),
    visible.filter((name) => !name.endsWith(ANSWER_END)),
  ];
  return {
    questions: questions.map((name) => name.slice(0, -'.json'.length)),
    answers: answers.map((name) => name.slice(0, -ANSWER_END.length)),
  };
}

/** The name of a question file. */
export function questionName(id: string): string {
  return `${id}.json`;
}

/** The name of the answer to it. */
export function answerName(id: string): string {
  return `${id}${ANSWER_END}`;
}

/** A new id for the question file of a request: `q{timestamp}_{counter}`, in ms, counted from 1. */
export function newQuestionId({ askedAt }: RequestState, isTaken: (id: string) => boolean): string {
  const time = Date.parse(askedAt);
  for (let counter = 1; ; counter += 1) {
    const id = `q${time}_${counter}`;
    if (!isTaken(id)) return id;
  }
}
