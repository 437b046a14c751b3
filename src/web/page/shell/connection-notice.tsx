import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { usePassed } from '../parts/clock.ts';
import { Icon } from '../parts/icon.tsx';

/** A connection that is back within so long was never worth a word, in ms. */
const PATIENCE_MS = 3_000;

/** That what is seen may be old, where it may be: without alarm, since nothing is lost by it. */
export function ConnectionNotice() {
  const session = useSession();
  const { link, liveAt } = useStore(session.connection);
  const isDown = link === 'lost' || link === 'connecting';
  const isLong = usePassed(PATIENCE_MS, isDown);
  if (!isDown || !isLong || liveAt === undefined) return null;
  return (
    <div className="connection" role="status">
      <Icon name="offline" />
      <span>
        Not connected. What you see is of {new Date(liveAt).toLocaleTimeString()}; it goes on by itself.
      </span>
      <button type="button" className="button plain" onClick={() => session.reconnect()}>
        Try now
      </button>
    </div>
  );
}
