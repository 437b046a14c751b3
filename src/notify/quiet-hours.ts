const DAY_MIN = 24 * 60;
const MINUTE_MS = 60_000;

/**
 * How long nobody is called yet, in ms: 0 outside of quiet hours.
 *
 * @param span - `22:00-07:00`, in the time zone of this machine; the same time twice is the whole day.
 * @param now - ms since the epoch.
 */
export function quietLeftMs(span: string | undefined, now: number): number {
  if (span === undefined) return 0;
  const [from = 0, to = 0] = span.split('-').map(minuteOf);
  const date = new Date(now);
  const minute = date.getHours() * 60 + date.getMinutes();
  // The length of the span, and how far into it the day is: both over midnight.
  const length = (to - from + DAY_MIN) % DAY_MIN || DAY_MIN;
  const since = (minute - from + DAY_MIN) % DAY_MIN;
  if (since >= length) return 0;
  return (length - since) * MINUTE_MS - (date.getSeconds() * 1_000 + date.getMilliseconds());
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
