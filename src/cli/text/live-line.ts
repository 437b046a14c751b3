import type { StoredEvent } from '../../events/envelope.ts';
import type { Cli } from '../cli.ts';
import { colourOfType } from './colours.ts';
import { clockTime } from '../../lib/time/clock-text.ts';
import { eventText } from '../../views/event-text.ts';
import { hanging } from './paragraph.ts';
import { oneLine } from '../../lib/text/visible.ts';

/**
 * An event as it happens, as one line: time, task, type, what it says. Nothing is cut; what a terminal has no room
 * for goes on below.
 *
 * @param text - Instead of what it says.
 */
export function liveLine(
  event: StoredEvent,
  cli: Pick<Cli, 'style' | 'stdout'>,
  text = eventText(event),
): string {
  const { style } = cli;
  const type = style(colourOfType(event.type), event.type);
  const head = `${style('dim', clockTime(event.time))} ${style('bold', oneLine(event.subject))} ${type}`;
  return hanging(cli, `${head} `, text, 4).trimEnd();
}
