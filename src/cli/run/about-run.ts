import type { StoredEvent } from '../../events/envelope.ts';
import { commandName } from '../../lib/text/command-name.ts';
import { attemptHeading } from '../../views/sprints/attempt-heading.ts';

/** Stands above what an agent writes that somebody else has started. */
export function aboutRun({ time, data: { attempt, agent, argv } }: StoredEvent<'agent.started'>): string {
  return attemptHeading({ attempt, agent: agent ?? commandName(argv), at: time });
}
