import { dayAndTime } from '../../lib/time/clock-text.ts';
import { waitedText } from '../../lib/time/duration.ts';
import type { MirrorMark } from '../../workflow/log/mirror-mark.ts';

/** That a log is only a mirror, and of when. */
export function mirrorText({ of, at }: MirrorMark, now = Date.now()): string {
  const age =
    at === null
      ? 'which is not complete'
      : `as of ${dayAndTime(at)}, ${waitedText(now - Date.parse(at))} ago`;
  return `this is the mirror of ${of}, ${age}: what has happened there since is missing, and nothing can be decided here`;
}
