import { clip } from '../../lib/text/clip.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { SprintView, TaskView } from '../../views/sprints/describe-sprint.ts';
import { shownAnswer, shownWords } from '../../views/calls/shown-words.ts';
import { uriOf } from './resource-name.ts';

/** So many tasks, and open questions, of one sprint are told of. */
const MOST = 500;
/** So many questions about one task, the latest. */
const MOST_QUESTIONS = 20;
/** So much of a text in a list, and by itself, in characters. */
const LINE_LENGTH = 300;
const TEXT_LENGTH = 4_000;

/** A sprint in a line. */
export function shownLine({ id, name, state, detail, tasks }: SprintView) {
  const count = (word: TaskView['state']) => tasks.filter((task) => task.state === word).length;
  const counts = { pending: count('pending'), active: count('active'), blocked: count('blocked') };
  return {
    uri: uriOf({ is: 'sprint', sprint: id }),
    id,
    name,
    state,
    detail,
    tasks: { ...counts, done: count('done') },
  };
}

/** A sprint as agents read it: where it stands, and nothing that changes with each event. */
export function shownSprint({ id, name, state, detail, lastFailure, left, tasks, open }: SprintView) {
  return {
    id,
    name,
    state,
    detail,
    lastFailure: clipped(lastFailure),
    runnerLeft: left && { ...left, reason: clip(left.reason, LINE_LENGTH) },
    tasks: tasks.slice(0, MOST).map(({ dependsOn, waitsFor, attempt, ...task }) => ({
      uri: uriOf({ is: 'task', sprint: id, task: task.id }),
      id: task.id,
      file: task.file,
      state: task.state,
      detail: task.detail,
      attempt,
      dependsOn,
      waitsFor,
    })),
    ...leftOut('tasksLeftOut', tasks.length),
    questions: open.slice(0, MOST).map(({ id: question, task, kind, question: words, askedAt }) => ({
      id: question,
      task,
      kind,
      question: clip(words, LINE_LENGTH),
      askedAt,
    })),
    ...leftOut('questionsLeftOut', open.length),
    log: uriOf({ is: 'log', sprint: id }),
  };
}

/** A task as agents read it, with the questions about it. */
export function shownTask(sprint: string, task: TaskView, requests: readonly RequestState[]) {
  const { id, file, state, detail, attempt, failures, maxAttempts, dependsOn, waitsFor, agent, failing } =
    task;
  const about = requests.filter(({ taskId, asked }) => (taskId ?? asked.task) === id);
  return {
    sprint: uriOf({ is: 'sprint', sprint }),
    id,
    file,
    state,
    detail,
    attempt,
    failures,
    maxAttempts,
    lastFailure: clipped(task.lastFailure),
    setAside: task.setAside && { ...task.setAside, reason: clipped(task.setAside.reason) },
    dependsOn,
    waitsFor,
    blockedSince: task.blockedSince,
    agent: agent && { name: agent.name, startedAt: agent.startedAt },
    failing,
    commit: task.commit,
    questions: about.slice(-MOST_QUESTIONS).map(shownRequest),
    ...leftOut('questionsLeftOut', about.length, MOST_QUESTIONS),
  };
}

function shownRequest({ id, asked, askedAt, phase, answer, dismissal }: RequestState) {
  return {
    id,
    kind: asked.kind,
    question: clip(asked.question, TEXT_LENGTH),
    askedAt,
    phase,
    ...(answer && { answer: clip(shownAnswer(asked, answer), TEXT_LENGTH), by: answer.by }),
    ...(dismissal?.reason === undefined ? {} : { reason: clip(shownWords(dismissal.reason), TEXT_LENGTH) }),
  };
}

function leftOut(key: string, count: number, most = MOST): Record<string, number> {
  return count > most ? { [key]: count - most } : {};
}

function clipped(text: string | undefined): string | undefined {
  return text === undefined ? undefined : clip(text, TEXT_LENGTH);
}
