import type { TaskOutput } from '../text/agent-output.ts';
import type { Pane, PaneLine } from './pane.ts';

/** What the agents of a task write, as it comes. */
export const outputPane: Pane = {
  id: 'output',
  title: 'Output',
  about: 'what the agents of the task write',
  kind: 'log',
};

/** Its lines. */
export function outputLines({ dropped, lines }: TaskOutput): readonly PaneLine[] {
  return lines.map((text, at) => ({
    at: dropped + at,
    line: { spans: [{ text, style: 'plain' }], breaks: 'words' },
  }));
}
