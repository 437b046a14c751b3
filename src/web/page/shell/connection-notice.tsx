import { useLayoutEffect } from 'react';
import { clockTime } from '../../../lib/time/clock-text.ts';
import { useSession } from '../context.ts';
import { Icon } from '../parts/icon.tsx';
import { useOffline } from './use-offline.ts';

/** That what is seen may be old, where it may be: without alarm, since nothing is lost by it. */
export function ConnectionNotice() {
  const session = useSession();
  const since = useOffline();
  const isSaid = since !== undefined;
  // It takes room from what is above it: where somebody writes stays in sight.
  useLayoutEffect(() => {
    if (isSaid) document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [isSaid]);
  if (!isSaid) return null;
  return (
    <div className="connection" role="status">
      <Icon name="offline" />
      <span>
        Not connected. What you see is of {clockTime(new Date(since).toISOString())}; it goes on by itself.
      </span>
      <button type="button" className="button plain" onClick={() => session.reconnect()}>
        Try now
      </button>
    </div>
  );
}
