import { describe, expect, it } from 'vitest';
import { statusLines } from '../../../src/cli/text/status-lines.ts';
import { offeredRunTexts } from '../../../src/tui/overview/offered-run.ts';
import type { TaskView } from '../../../src/views/sprints/describe-sprint.ts';
import type { SprintStatus } from '../../../src/views/sprints/sprint-status.ts';
import { sprintWord, taskWord } from '../../../src/views/sprints/standing.ts';
import { taskFacts } from '../../../src/views/sprints/task-facts.ts';
import { taskItem } from '../../../src/views/sprints/task-items.ts';
import { whoRuns } from '../../../src/views/sprints/who-runs.ts';
import { aSprint, aTask, now } from '../../helpers/screen-views.ts';

const at = (ms: number) => new Date(now + ms).toISOString();
const agent = {
  runId: 'r-1',
  pid: 7,
  name: 'opencode',
  isKnown: true,
  startedAt: at(-9_000),
  connectedAt: undefined,
};
const ran = { name: 'opencode', model: undefined, startedAt: at(-9_000), endedAt: undefined };
const working = aTask({ state: 'active', detail: 'working', attempt: 1, agent, ran });
const folder = { manifest: { id: 'sprint-13' } } as unknown as NonNullable<
  Parameters<typeof whoRuns>[1]['folder']
>;

/** All that the faces say of a sprint with this task. */
function said(task: TaskView, over: Parameters<typeof aSprint>[0] = {}, hasRunner = false) {
  const view = aSprint({ name: 'sprint-13', tasks: [task], ...over });
  const { open: _open, ...rest } = view;
  const status: SprintStatus = {
    ...rest,
    open: [],
    inLog: true,
    hasRunner,
    word: sprintWord(view, hasRunner),
    tasks: [
      { ...task, word: taskWord(task, hasRunner), isAgentGone: task.agent !== undefined && !hasRunner },
    ],
  };
  const page = { stdout: { isTTY: false }, style: (_style: unknown, text: string) => text };
  const isAgentGone = task.agent !== undefined && !hasRunner;
  const isQueued = view.queuedAt !== undefined;
  const context = { now, titles: new Map(), hasRunner, isQueued, tasks: [task], isAgentGone };
  const item = taskItem(task, context);
  return {
    status: statusLines(status, { ...page, now, open: [] } as unknown as Parameters<
      typeof statusLines
    >[1]).join('\n'),
    overview: `${status.word} ${offeredRunTexts(whoRuns(status, { folder }))[0]}`,
    list: [item.word, ...item.notes].join(' '),
    facts: taskFacts(task, context)[0]?.text ?? '',
  };
}

const left = { reason: 'Ctrl-C', at: at(-60_000) };

describe('what every face says of it', () => {
  it.each([
    ['a runner at work', working, {}, true, [/active/, /active opencode at work/, /^active$/, /^active$/]],
    [
      'a runner whose only agent waits for a human',
      { ...working, state: 'blocked', detail: 'question', blockedSince: at(-9_000) },
      { state: 'blocked', detail: undefined },
      true,
      [
        /^sprint-13: blocked/,
        /^blocked opencode waits for you$/,
        /^blocked/,
        /^blocked: waits for an answer, 9 s$/,
      ],
    ],
    [
      'a runner that shows what became of a sprint that is over',
      aTask({ state: 'done', detail: 'completed' }),
      { state: 'done', detail: 'completed' },
      true,
      [/^sprint-13: done(?!.*at work)/, /^done $/, /^done$/, /^done$/],
    ],
    [
      'a runner that has left',
      working,
      { left },
      false,
      [
        /^sprint-13: idle.*no runner at work \(it left at .*Ctrl-C\): clifford run sprint-13\n {2}○ parser {2}idle/,
        /^idle no runner at work/,
        /^idle no runner/,
        /^idle: no runner at work$/,
      ],
    ],
    [
      'a sprint that waits in the queue',
      aTask(),
      { state: 'pending', detail: undefined, queuedAt: at(-60_000) },
      false,
      [
        /^sprint-13: pending, 0 of 1 tasks done, waits in the queue for a worker since \d\d:\d\d\S*\n/,
        /^pending waits in the queue for a worker$/,
        /^pending$/,
        /^pending$/,
      ],
    ],
    [
      'a sprint that a worker has given back',
      working,
      { left, queuedAt: at(-60_000) },
      false,
      [
        /^sprint-13: idle, 0 of 1 tasks done, waits in the queue for a worker since [^()]*\n {2}○ parser {2}idle/,
        /^idle waits in the queue for a worker$/,
        /^idle waits in the queue in the queue$/,
        /^idle: waits in the queue$/,
      ],
    ],
    [
      'a paused one in the queue',
      aTask(),
      { detail: 'paused', queuedAt: at(-60_000) },
      false,
      [
        /^sprint-13: paused, .*waits in the queue for a worker since .*: clifford resume sprint-13\n/,
        /^paused waits in the queue for a worker$/,
        /^pending$/,
        /^pending$/,
      ],
    ],
    [
      'a runner that was killed while a human was asked',
      aTask({ state: 'blocked', detail: 'question', blockedSince: at(-9_000) }),
      { state: 'blocked', detail: undefined },
      false,
      [
        /^sprint-13: blocked.*no runner at work/,
        /^blocked no runner/,
        /^blocked/,
        /^blocked: waits for an answer, 9 s$/,
      ],
    ],
    [
      'a pause, and nobody there',
      aTask(),
      { detail: 'paused' },
      false,
      [
        /^sprint-13: paused.*no runner.*clifford resume sprint-13, then clifford run/,
        /^paused paused, no runner/,
        /^pending$/,
        /^pending$/,
      ],
    ],
    [
      'another task that has to be done first',
      aTask({ dependsOn: ['form'], waitsFor: ['form'] }),
      {},
      true,
      [/waits for form/, /active/, /^pending waits for form/, /^pending: waits for form$/],
    ],
    [
      'a usage limit',
      aTask({ state: 'active', detail: 'starting', limitedUntil: at(60_000) }),
      {},
      true,
      [
        /usage limit until \d\d:\d\d/,
        /active/,
        /^active limited until \d\d:\d\d/,
        /^active: limited until \d\d:\d\d$/,
      ],
    ],
    [
      'a task that was skipped',
      aTask({ state: 'done', detail: 'skipped', setAside: { by: 'ann', reason: 'no use' } }),
      { state: 'done', detail: 'completed' },
      false,
      [
        /– parser {2}skipped {2}by ann: no use/,
        /^done/,
        /^skipped by ann: no use by ann$/,
        /^skipped: by ann: no use$/,
      ],
    ],
    [
      'a sprint that was cancelled',
      aTask({ state: 'done', detail: 'cancelled', setAside: { by: 'ann' } }),
      { state: 'done', detail: 'cancelled', setAside: { by: 'ann', reason: 'too late' } },
      false,
      [
        /^sprint-13: cancelled.*\n {2}by ann: too late\n {2}✗ parser {2}cancelled {2}by ann/,
        /^cancelled/,
        /^cancelled by ann$/,
        /^cancelled: by ann$/,
      ],
    ],
    [
      'work by hand, which needs no runner',
      aTask({ state: 'active', detail: 'working', byHandSince: at(-4_000) }),
      {},
      false,
      [
        /^sprint-13: active.*\n.*worked on by hand/,
        /^active worked on by hand/,
        /^active by hand/,
        /^active: worked on by hand, 4 s$/,
      ],
    ],
  ] as const)('%s', (_what, task, over, hasRunner, [status, overview, list, facts]) => {
    expect(said(task, over as Parameters<typeof aSprint>[0], hasRunner)).toEqual({
      status: expect.stringMatching(status),
      overview: expect.stringMatching(overview),
      list: expect.stringMatching(list),
      facts: expect.stringMatching(facts),
    });
  });
});

it.each([
  ['active', 'working'],
  ['blocked', 'question'],
] as const)('an agent that was killed with its runner is gone, not at work: %s', (state, detail) => {
  const task = { ...working, state, detail };
  const factOf = (isAgentGone: boolean) =>
    taskFacts(task, { now, tasks: [task], hasRunner: false, isQueued: false, isAgentGone }).find(
      ({ label }) => label === 'Agent',
    )?.text;
  expect(factOf(true)).toBe('opencode is gone');
  expect(factOf(false)).not.toContain('gone');
});

it('is in colour as a whole, wherever a terminal breaks the line', () => {
  const styled: string[] = [];
  const style = (_style: unknown, text: string) => {
    styled.push(`\u001B[33m${text}\u001B[39m`);
    return styled.at(-1) ?? '';
  };
  const view = { ...aSprint({ queuedAt: at(-60_000), tasks: [] }), tasks: [], open: [] };
  const sprint: SprintStatus = { ...view, inLog: true, hasRunner: false, word: 'idle' };
  for (let columns = 40; columns < 100; columns += 1) {
    const look = { stdout: { isTTY: true, columns }, style, now, open: [] } as const;
    const said = statusLines(sprint, look).join('\n');
    expect(styled.splice(0).filter((text) => !said.includes(text))).toEqual([]);
  }
});
