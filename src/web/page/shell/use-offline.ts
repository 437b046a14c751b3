import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { usePassed } from '../parts/clock.ts';

/** A connection that is back within so long was never worth a word, in ms. */
const PATIENCE_MS = 3_000;

/** Whether the server has been out of reach for a while: what is seen, if anything, may be old. */
export function useOffline(): boolean {
  const { link } = useStore(useSession().connection);
  const isDown = link === 'lost' || link === 'connecting';
  const isLong = usePassed(PATIENCE_MS, isDown);
  return isDown && isLong;
}
