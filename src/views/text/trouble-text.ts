import { clockText } from '../../lib/time/clock-text.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { LogTrouble } from '../../workflow/project/log-follower.ts';

/** That the log cannot be read, and of when what is shown is. With the day where that is not today. */
export function troubleText({ error, since }: LogTrouble, now = Date.now()): string {
  return `${messageOf(error)}. What you see is of ${clockText(since, now)}; it goes on by itself`;
}
