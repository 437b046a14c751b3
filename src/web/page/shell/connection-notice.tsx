import { useLayoutEffect } from 'react';
import { clockTime } from '../../../lib/time/clock-text.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { useNow } from '../parts/clock.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { useOffline } from './use-offline.ts';

/** That what is seen may be old, where it may be: without alarm, since nothing is lost by it. */
export function ConnectionNotice() {
  const session = useSession();
  const isOffline = useOffline();
  const { liveAt } = useStore(session.connection);
  const busyUntil = useStore(session.busyUntil) ?? 0;
  const stale = useStore(session.state)?.stale;
  const now = useNow() - session.clockSkewMs;
  const isBusy = busyUntil > now;
  const isSaid = isBusy || isOffline || stale !== undefined;
  // It takes room from what is above it: where somebody writes stays in sight.
  useLayoutEffect(() => {
    if (isSaid) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [isSaid]);
  if (isBusy)
    return (
      <div className="connection" role="status">
        <Icon name="history" />
        <span>
          More is asked with this token than Clifford answers: this page waits until{' '}
          {clockTime(new Date(busyUntil).toISOString())}, and goes on by itself.
        </span>
      </div>
    );
  if (!isSaid) return null;
  const { why, since } =
    !isOffline && stale
      ? stale
      : { why: 'Not connected', since: liveAt === undefined ? undefined : new Date(liveAt).toISOString() };
  return (
    <div className="connection" role="status">
      <Icon name="offline" />
      <span>
        <AgentLine text={why} />.
        {since === undefined ? ' This page' : ` What you see is of ${clockTime(since)}; it`} goes on by
        itself.{isOffline && ' Started again, Clifford may be at another address.'}
      </span>
      {isOffline && (
        <button type="button" className="button plain" onClick={() => session.reconnect()}>
          Try now
        </button>
      )}
    </div>
  );
}
