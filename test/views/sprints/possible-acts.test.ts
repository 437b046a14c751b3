import { expect, it } from 'vitest';
import { createSprintState } from '../../../src/machines/project-state.ts';
import { possibleActs } from '../../../src/views/sprints/possible-acts.ts';
import { History, on } from '../../helpers/history.ts';

const stream = 'sprint-13';
const tasks = ['a', 'b', 'c', 'd'].map((id) => ({ id, file: `${id}.md` }));

function actsOf(history: History) {
  const { state } = history;
  const { sprint, tasks: ofTasks } = possibleActs(
    state,
    state.streams.get(stream) ?? createSprintState(stream),
  );
  return { sprint, tasks: Object.fromEntries(ofTasks) };
}

it('a human can do to a sprint and its tasks what the machines allow', () => {
  const history = new History(
    on(stream, 'sprint.created', { tasks }),
    on(stream, 'sprint.started'),
    on(`${stream}/a`, 'task.started', { attempt: 1, runId: 'r1' }),
    on(`${stream}/b`, 'task.skipped'),
    on(`${stream}/c`, 'task.cancelled'),
  );
  const open = {
    a: ['skip', 'cancel', 'note'],
    b: ['retry'],
    c: ['retry'],
    d: ['skip', 'cancel', 'note'],
  };
  expect(actsOf(history)).toEqual({ sprint: ['pause', 'cancel'], tasks: open });
  history.add(on(stream, 'sprint.paused'));
  expect(actsOf(history)).toEqual({ sprint: ['resume', 'cancel'], tasks: open });
  history.add(on(stream, 'sprint.cancelled'));
  expect(actsOf(history)).toEqual({ sprint: [], tasks: { a: [], b: [], c: [], d: [] } });
});

it('nothing can be done to what is in no sprint', () => {
  expect(actsOf(new History())).toEqual({ sprint: [], tasks: {} });
});
