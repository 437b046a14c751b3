import { diagramOf } from '../../machines/diagram/model.ts';
import { nameOf } from '../../machines/status-words.ts';
import { taskMachine } from '../../machines/task.machine.ts';
import { machinePath } from '../../views/events/machine-path.ts';
import { pathLines } from '../text/path-lines.ts';
import { notPlanned, sprintShown, type Pane } from './pane.ts';

/** The states that a task can be in, and its way through them. */
export const statesPane: Pane = {
  id: 'states',
  title: 'States',
  short: 'State',
  about: 'the states that the task can be in, and its way through them',
  kind: 'text',
  follows: 'events',
  load: async (source, task) => {
    const { tracks, past } = source;
    const sprint = sprintShown(source);
    const version = past?.version ?? sprint?.version ?? 0;
    const now = sprint?.tasks.get(task)?.machine.value;
    if (now === undefined) return notPlanned;
    const stands = nameOf(now);
    const moves = (await tracks.read()).moves(task, version);
    const path = machinePath(diagramOf(taskMachine), moves, stands);
    return {
      lines: (width) =>
        pathLines(path, width).map((line, at) => {
          const isCurrent = line.spans.some(({ style }) => style === 'lit');
          return { at, line, isCurrent };
        }),
      empty: 'Nothing is known of it',
    };
  },
};
