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
  const span = (from: number, to: number) => ({ is: 'works', from, to }) as const;

  it('is as long as they are', () => {
    const { scale, rests } = spanScale([span(100, 200), span(150, 300)]);
    expect([100, 200, 300].map(scale)).toEqual([0, 0.5, 1]);
    expect(rests).toEqual([]);
  });

  it('is short where nothing went on for long, and says where', () => {
    const { scale, rests } = spanScale([span(1_000_000, 1_000_095), span(0, 95)]);
    // 190 of both, and a twentieth of that between them.
    expect(scale(95)).toBeCloseTo(95 / 199.5);
    expect(scale(1_000_000)).toBeCloseTo(104.5 / 199.5);
    expect(scale(1_000_095)).toBe(1);
    expect(rests).toEqual([expect.closeTo(99.75 / 199.5)]);
  });

  it('shows a short rest as long as it was', () => {
    const { scale, rests } = spanScale([span(0, 96), span(100, 200)]);
    expect(scale(100)).toBe(0.5);
    expect(rests).toEqual([]);
  });

  it('has a place for everything where there is nothing', () => {
    expect(spanScale([]).scale(5)).toBe(0);
  });
});
