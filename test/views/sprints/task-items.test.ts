import { describe, expect, it } from 'vitest';
import { taskItem, type ItemsContext } from '../../../src/views/sprints/task-items.ts';
import { failureReason } from '../../../src/runner/reconcile/exit-verdict.ts';
import { modelIn } from '../../../src/views/sprints/model-name.ts';
import { sprintWord, taskWord } from '../../../src/views/sprints/standing.ts';
import { aSprint, aTask, now } from '../../helpers/screen-views.ts';

const at = (ms: number) => new Date(now + ms).toISOString();
const ran = { name: 'opencode', model: 'gpt-5', startedAt: at(-900_000), endedAt: undefined };
const item = (over: Parameters<typeof aTask>[0], context: Partial<ItemsContext> = {}) =>
  taskItem(aTask(over), { now, titles: new Map(), hasRunner: true, isQueued: false, ...context });

describe('taskItem', () => {
  it('has the title of the file, the attempt, who is at it, for how long, and what that cost', () => {
    const task = {
      state: 'active',
      detail: 'working',
      attempt: 2,
      maxAttempts: 3,
      ran,
      workedMs: 240_000,
      workingSince: at(-60_000),
      usage: { input: 1_000, output: 200, costUsd: 0.123 },
    } as const;
    expect(item(task, { titles: new Map([['parser', 'Build the parser']]) })).toEqual({
      id: 'parser',
      title: 'Build the parser',
      word: 'active',
      attempt: '2/3',
      agent: 'opencode',
      model: 'gpt-5',
      time: '5 min',
      isWaiting: false,
      cost: '$0.12',
      notes: [],
    });
  });

  it.each([
    ['waits for another', { waitsFor: ['form'] }, ['waits for form', '← form', 'waits'], ''],
    [
      'waits for others',
      { waitsFor: ['form', 'api'] },
      ['waits for form, api', 'waits for form +1', '← form +1', 'waits for 2', 'waits'],
      '',
    ],
    ['waits its turn', { behind: ['form', 'api'] }, ['waits its turn behind form +1', 'waits its turn'], ''],
    [
      'waits for a human',
      { state: 'blocked', detail: 'question', blockedSince: at(-60_000), waitedMs: 60_000 },
      [],
      '2 min',
    ],
    [
      'is parked',
      { state: 'blocked', detail: 'question', parkedSince: at(-7_200_000) },
      ['parked 2 h', 'parked'],
      '',
    ],
    [
      'was skipped',
      { state: 'done', detail: 'skipped', setAside: { by: 'ann', reason: 'not needed' } },
      ['by ann: not needed', 'by ann'],
      '',
    ],
    ['was cancelled', { state: 'done', detail: 'cancelled', setAside: { by: 'ann' } }, ['by ann'], ''],
    [
      'has failed',
      { state: 'done', detail: 'failed', lastFailure: 'exit code 1', ran, workedMs: 60_000 },
      ['exit code 1'],
      '1 min',
    ],
    [
      'is retried',
      { state: 'active', detail: 'retrying', lastFailure: 'exit code 1', workedMs: 3_800 },
      ['exit code 1'],
      '4 s',
    ],
    [
      'is done',
      { state: 'done', detail: 'completed', lastFailure: 'before', workedMs: 300_000, waitedMs: 60_000 },
      [],
      '5 min',
    ],
    ['is worked on by hand', { state: 'active', byHandSince: at(-4_000) }, ['by hand'], '4 s'],
  ] as const)('says why a task that %s does not go on, and for how long', (_what, over, notes, time) => {
    expect(item(over as Parameters<typeof aTask>[0])).toMatchObject({ notes, time });
  });

  it('says what an agent said at last before that it ended, which nearly all failures have in common', () => {
    const noted = (lastWords: string) => {
      const seen = { endReason: undefined, lastWords };
      const lastFailure = failureReason({ code: 1, signal: null, durationMs: 5 }, seen);
      return item({ state: 'done', detail: 'failed', lastFailure }).notes;
    };
    expect(noted('TypeError: no form')).toEqual(['TypeError: no form']);
    expect(noted('')).toEqual(['exited with code 1']);
  });

  it('names an attempt behind the last that counts by its number', () => {
    const nth = (attempt: number) => item({ attempt, maxAttempts: 3 }).attempt;
    expect([1, 2, 3, 4].map(nth)).toEqual(['', '2/3', '3/3', '#4']);
  });

  it('says until when a usage limit lasts, while it does', () => {
    const limited = (limitedUntil: string) =>
      item({ state: 'active', detail: 'starting', limitedUntil }).notes;
    expect(limited(at(60_000))[0]).toMatch(/^limited until \d\d:\d\d$/);
    expect(limited(at(-1))).toEqual([]);
  });

  it('says of a task whose runner has gone that nobody is at it, and counts no time', () => {
    const task = { state: 'active', detail: 'working', ran, workedMs: 1_000 } as const;
    expect(item(task, { hasRunner: false })).toMatchObject({
      word: 'idle',
      time: '',
      notes: ['no runner at work', 'no runner'],
    });
  });

  it('shows what is hidden in a title', () => {
    expect(item({}, { titles: new Map([['parser', 'a\u001B[2Jb']]) }).title).toBe(String.raw`a\u001b[2Jb`);
  });
});

describe('the word for what is under way', () => {
  const working = aTask({ state: 'active', detail: 'working' });
  const byHand = aTask({ state: 'active', detail: 'working', byHandSince: at(0) });

  it.each([
    [working, true, 'active'],
    [working, false, 'idle'],
    [byHand, false, 'active'],
    [aTask({ state: 'blocked', detail: 'question' }), false, 'blocked'],
    [aTask(), false, 'pending'],
    [aTask({ state: 'done', detail: 'skipped' }), false, 'skipped'],
  ])('of a task', (task, hasRunner, word) => {
    expect(taskWord(task, hasRunner)).toBe(word);
  });

  it.each([
    [aSprint({ tasks: [working] }), true, 'active'],
    [aSprint({ tasks: [working] }), false, 'idle'],
    [aSprint({ tasks: [byHand] }), false, 'active'],
    [aSprint({ detail: 'paused' }), false, 'paused'],
    [aSprint({ state: 'blocked', detail: undefined }), false, 'blocked'],
    [aSprint({ state: 'done', detail: 'cancelled' }), false, 'cancelled'],
  ])('of a sprint', (sprint, hasRunner, word) => {
    expect(sprintWord(sprint, hasRunner)).toBe(word);
  });
});

describe('modelIn', () => {
  it.each([
    [['opencode', 'run', '--model', 'gpt-5'], 'opencode', 'gpt-5'],
    [['codex', '-m', 'o4'], 'codex', 'o4'],
    [['claude', '--model=opus', 'text'], 'claude-code', 'opus'],
    [['my-agent', '-m', 'not a model'], 'command', undefined],
    [['my-agent', '--model', 'own'], 'command', 'own'],
    [['my-agent'], 'command', undefined],
  ])('%j of %s: %s', (argv, adapter, model) => {
    expect(modelIn({ adapter, argv })).toBe(model);
  });
});
