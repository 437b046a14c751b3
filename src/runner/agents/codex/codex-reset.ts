const MINUTE_MS = 60_000;

/** `try again at Mar 17th, 2030 5:46 PM`, and without the day when it is today. */
const AT = /try again at (?:([A-Z][a-z]{2} \d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}:\d{2} [AP]M)/;

/**
 * When the limit ends that Codex tells of, in ms since the epoch: the end of that minute, since seconds are cut
 * off. It writes the time as it is on this machine's clock. `undefined`: it does not say when.
 *
 * @param now - ms since the epoch.
 */
export function codexReset(message: string, now: number): number | undefined {
  const [, day, year, time] = AT.exec(message) ?? [];
  if (time === undefined) return undefined;
  const date = day === undefined ? new Date(now).toDateString() : `${day}, ${year}`;
  const at = Date.parse(`${date} ${time}`);
  return Number.isNaN(at) ? undefined : at + MINUTE_MS;
}
