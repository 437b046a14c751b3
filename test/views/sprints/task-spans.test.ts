import { describe, expect, it } from 'vitest';
import { createSprintState } from '../../../src/machines/project-state.ts';
import { spanScale, TaskSpans } from '../../../src/views/sprints/task-spans.ts';
import { History, on } from '../../helpers/history.ts';

const [a, b] = ['demo/a', 'demo/b'];
const tasks = ['a', 'b'].map((id) => ({ id, file: `${id}.md` }));

/** When tasks were worked on and waited, in seconds from the first event on; there is one event a second. */
function spansOf(...events: Parameters<typeof on>[]) {
  const history = new History(on('demo', 'sprint.created', { tasks }), on('demo', 'sprint.started'));
  const spans = new TaskSpans();
  for (const event of events) {
    history.add(on(...event));
    const last = history.events.at(-1);
    if (last) spans.take(last, history.state.streams.get('demo') ?? createSprintState('demo'));
  }
  const begun = Date.parse(history.events[0]?.time ?? '');
  const inSeconds = (of: string) =>
    spans.of(of).map(({ is, from, to }) => [is, (from - begun) / 1_000, (to - begun) / 1_000]);
  return { a: inSeconds('a'), b: inSeconds('b') };
}

const started = [a, 'task.started', { attempt: 1, runId: 'r1' }] as const;
const agent = [a, 'agent.started', { runId: 'r1' }] as const;
const asked = [a, 'help.requested', { requestId: 'q-1', origin: { agent: 'a1', runId: 'r1' } }] as const;
const other = ['demo', 'log.repaired', {}] as const;

describe('times of a task', () => {
  it('are those in which an agent worked, and those in which it waited for a human', () => {
    expect(
      spansOf(
        [...started],
        [...agent],
        [...asked],
        [...other],
        [a, 'help.answered', { requestId: 'q-1' }],
        [a, 'agent.exited', { runId: 'r1' }],
        [...other],
      ),
    ).toEqual({
      a: [
        ['works', 3, 4],
        ['waits', 4, 6],
        ['works', 6, 7],
      ],
      b: [],
    });
  });

  it('last until the last event where they go on', () => {
    expect(spansOf([...started], [...agent], [...other], [...other]).a).toEqual([['works', 3, 5]]);
  });

  it('end with the sprint, of which the event is', () => {
    const { a: spans } = spansOf(
      [...started],
      [...agent],
      [...other],
      ['demo', 'sprint.cancelled', {}],
      [...other],
    );
    expect(spans).toEqual([['works', 3, 5]]);
  });

  it('of one task are no other one’s', () => {
    const { b: spans } = spansOf(
      [...started],
      [...agent],
      [b, 'task.started', { attempt: 1, runId: 'r2' }],
      [b, 'agent.started', { runId: 'r2' }],
      [b, 'agent.exited', { runId: 'r2' }],
    );
    expect(spans).toEqual([['works', 5, 6]]);
  });
});

it('go by the clock of the machine that has the task', () => {
  const history = new History(on('demo', 'sprint.created', { tasks }), on('demo', 'sprint.started'));
  const spans = new TaskSpans();
  const events = [
    on(a, 'task.started', { attempt: 1, runId: 'r1' }),
    on(a, 'agent.started', { runId: 'r1' }),
    on(b, 'task.started', { attempt: 1, runId: 'r2' }),
    on(b, 'agent.started', { runId: 'r2' }),
    on(b, 'agent.exited', { runId: 'r2' }),
    on(a, 'agent.exited', { runId: 'r1' }),
  ];
  for (const event of events) {
    history.add(event);
    const last = history.events.at(-1);
    // The machine of one is ten minutes ahead.
    const aheadMs = event.subject === a ? 600_000 : 0;
    const time = new Date(Date.parse(last?.time ?? '') + aheadMs).toISOString();
    if (last) spans.take({ ...last, time }, history.sprint());
  }
  expect(['a', 'b'].map((task) => spans.of(task).map(({ from, to }) => to - from))).toEqual([
    [4_000],
    [1_000],
  ]);
});

describe('the line that they are drawn on', () => {
  const works = (from: number, to: number) => ({ is: 'works', from, to }) as const;
  const waits = (from: number, to: number) => ({ is: 'waits', from, to }) as const;

  it('is as long as they are', () => {
    const { scale, shortened } = spanScale([works(100, 200), works(150, 300)]);
    expect([100, 200, 300].map(scale)).toEqual([0, 0.5, 1]);
    expect(shortened).toEqual([]);
  });

  it('is short where nothing went on for long, and says where', () => {
    const { scale, shortened } = spanScale([works(1_000_000, 1_000_100), works(0, 100)]);
    // 200 of both, and a twentieth of that between them.
    expect(scale(100)).toBeCloseTo(100 / 210);
    expect(scale(500_000)).toBeCloseTo(105 / 210);
    expect(scale(1_000_000)).toBeCloseTo(110 / 210);
    expect(scale(1_000_100)).toBe(1);
    expect(shortened).toEqual([expect.closeTo(105 / 210)]);
  });

  it('is short where tasks only waited for humans for long', () => {
    const { scale, shortened } = spanScale([
      works(0, 100),
      waits(100, 86_400_000),
      works(86_400_000, 86_400_100),
    ]);
    expect(scale(100)).toBeCloseTo(100 / 250);
    expect(scale(86_400_000)).toBeCloseTo(150 / 250);
    expect(shortened).toEqual([expect.closeTo(125 / 250)]);
  });

  it('is as long as work was, also while another task waited', () => {
    const { scale, shortened } = spanScale([waits(0, 400), works(100, 300)]);
    // 50 at most for each time of nothing but waiting.
    expect([0, 100, 200, 300, 400].map(scale)).toEqual(
      [0, 50, 150, 250, 300].map((at) => expect.closeTo(at / 300)),
    );
    expect(shortened).toHaveLength(2);
  });

  it('shows short rests and waits as long as they were', () => {
    const { scale, shortened } = spanScale([works(0, 96), works(100, 180), waits(180, 200)]);
    expect([100, 180, 200].map(scale)).toEqual([0.5, 0.9, 1]);
    expect(shortened).toEqual([]);
  });

  it('is as long as waits were where nobody worked', () => {
    const { scale, shortened } = spanScale([waits(0, 100), waits(100, 1_000)]);
    expect([100, 1_000].map(scale)).toEqual([0.1, 1]);
    expect(shortened).toEqual([]);
  });

  it('has a place for everything where there is nothing', () => {
    expect(spanScale([]).scale(5)).toBe(0);
  });
});
