import type { StoredEvent } from '../../events/envelope.ts';
import type { Cli } from '../cli.ts';
import { colourOfType } from './colours.ts';
import { clockTime } from './duration.ts';
import { eventText } from './event-text.ts';
import { oneLine } from './visible.ts';

/**
 * An event as it happens, on one line: time, task, type, what it says. Nothing is cut.
 *
 * @param text - Instead of what it says.
 */
export function liveLine(event: StoredEvent, { style }: Pick<Cli, 'style'>, text = eventText(event)): string {
  const type = style(colourOfType(event.type), event.type);
  const head = `${style('dim', clockTime(event.time))} ${style('bold', oneLine(event.subject))} ${type}`;
  return `${head} ${text}`.trimEnd();
}
