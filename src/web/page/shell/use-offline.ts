import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { usePassed } from '../parts/clock.ts';

/** A connection that is back within so long was never worth a word, in ms. */
const PATIENCE_MS = 3_000;

/** Since when what is seen may be old, in ms since the epoch; `undefined`: it is not. */
export function useOffline(): number | undefined {
  const { link, liveAt } = useStore(useSession().connection);
  const isDown = link === 'lost' || link === 'connecting';
  const isLong = usePassed(PATIENCE_MS, isDown);
  return isDown && isLong ? liveAt : undefined;
}
