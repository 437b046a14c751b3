import type { TaskView } from '../../src/views/sprints/describe-sprint.ts';
import { noUsage } from '../../src/machines/usage.ts';
import { initialState } from '../../src/tui/screen/screen-state.ts';
import type { Room } from '../../src/tui/terminal/room.ts';
import type { ScreenState } from '../../src/tui/screen/screen-state.ts';
import type { Question, ScreenView } from '../../src/views/sprints/sprint-view.ts';
import type { Stroke } from '../../src/tui/keys/strokes.ts';
import type { SprintSummary } from '../../src/views/sprints/sprint-summary.ts';
import { approval } from './approval.ts';

/** The moment at which the screens of tests are drawn. */
export const now = Date.parse('2026-01-31T12:00:00.000Z');

/** A task that waits for its turn. */
export function aTask(over: Partial<TaskView> = {}): TaskView {
  return {
    id: 'parser',
    file: 'parser.md',
    dependsOn: [],
    waitsFor: [],
    state: 'pending',
    detail: undefined,
    attempt: 0,
    failures: 0,
    maxAttempts: 1,
    lastFailure: undefined,
    setAside: undefined,
    byHandSince: undefined,
    waitedMs: 0,
    blockedSince: undefined,
    workedMs: 0,
    workingSince: undefined,
    limitedUntil: undefined,
    usage: noUsage,
    agent: undefined,
    ran: undefined,
    brokenBefore: [],
    failing: [],
    commit: undefined,
    parkedSince: undefined,
    unasked: 0,
    unaskedBy: [],
    ...over,
  };
}

/** A question about the task `parser`. */
export function aQuestion(over: Partial<Question> = {}): Question {
  return {
    id: 'q-1',
    sprint: 'sprint-13',
    task: 'parser',
    kind: 'help',
    question: 'Which grammar?',
    reason: undefined,
    context: undefined,
    options: [],
    isMultiple: false,
    askedAt: '2026-01-31T11:59:48.000Z',
    phase: 'open',
    isAwaited: true,
    answer: undefined,
    dismissal: undefined,
    follows: undefined,
    approval: undefined,
    asker: 'demo-agent',
    earlierAnswer: undefined,
    scopes: [],
    ...over,
  };
}

/** A question whether a call of the task `parser` may run. */
export function aCallQuestion(over: Partial<Question> = {}): Question {
  return aQuestion({
    kind: 'approval',
    question: 'Allow fs write_file {"path":"notes.txt","content":"hello"}?',
    approval,
    scopes: ['once', 'task', 'sprint', 'always'],
    ...over,
  });
}

/** An active sprint of three tasks without a question. */
export function aSprint(over: Partial<ScreenView> = {}): ScreenView {
  return {
    id: 'sprint-13',
    name: 'Checkout rewrite',
    left: undefined,
    state: 'active',
    detail: 'running',
    tasks: [
      aTask({ id: 'schema', state: 'done', detail: 'completed', attempt: 1 }),
      aTask({ id: 'parser', state: 'active', detail: 'working', attempt: 2, maxAttempts: 3 }),
      aTask({ id: 'docs' }),
    ],
    open: [],
    version: 7,
    lastEventAt: '2026-01-31T11:59:57.000Z',
    lastFailure: undefined,
    setAside: undefined,
    toolCalls: 0,
    usage: noUsage,
    possible: {
      sprint: ['pause', 'cancel'],
      tasks: new Map([
        ['schema', []],
        ['parser', ['skip', 'cancel', 'note']],
        ['docs', ['skip', 'cancel', 'note']],
      ]),
    },
    ...over,
  };
}

/** What a run of nothing took. */
export function aSummary(over: Partial<SprintSummary> = {}): SprintSummary {
  return {
    tookMs: 0,
    workedMs: 0,
    waitedMs: 0,
    attempts: 0,
    questions: 0,
    approvals: 0,
    refused: 0,
    refusedByPolicy: 0,
    unanswered: 0,
    decisions: [],
    commits: 0,
    commitsMade: [],
    files: 0,
    usage: noUsage,
    tasks: [],
    ...over,
  };
}

/** A blocked sprint with these questions open. */
export function aBlockedSprint(...open: Question[]): ScreenView {
  const parser = aTask({
    id: 'parser',
    state: 'blocked',
    detail: 'question',
    attempt: 2,
    maxAttempts: 3,
    blockedSince: '2026-01-31T11:59:48.000Z',
  });
  const tasks = aSprint().tasks.map((task) => (task.id === 'parser' ? parser : task));
  return aSprint({ state: 'blocked', detail: undefined, tasks, open });
}

/** The screen of a sprint whose question may be answered. */
export function answering(...open: Question[]): ScreenState {
  return { ...initialState({ isOwner: true, sprint: aBlockedSprint(...open) }), focus: { at: 'answer' } };
}

/** The screen of a sprint whose first question, about a call, may be decided. */
export function deciding(...open: Question[]): ScreenState {
  return { ...answering(...open), focus: { at: 'decide' } };
}

/** Panes of ten rows, with nothing to scroll. */
export const room: Room = {
  isNarrow: false,
  isTooSmall: false,
  hidesAsked: false,
  questionPage: 10,
  questionMax: 0,
  tasksPage: 10,
  helpMax: 0,
  overMax: 0,
  detail: undefined,
};

/** Strokes of a text, and of the keys pressed after it. */
export function typed(text: string, ...keys: string[]): Stroke[] {
  return [...Array.from(text, (character) => ({ text: character })), ...keys.map((key) => ({ key }))];
}
