import { dayAndTime } from '../../../lib/time/clock-text.ts';
import { waitedText } from '../../../lib/time/duration.ts';
import { useNow } from './clock.ts';

/** For how long something is so: `12 min`, as it goes on. */
export function Ago({ since }: { readonly since: string }) {
  const now = useNow();
  return (
    <time className="number" dateTime={since} title={dayAndTime(since)}>
      {waitedText(Math.max(0, now - Date.parse(since)))}
    </time>
  );
}
