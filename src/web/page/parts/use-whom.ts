import type { Whom } from '../../../views/sprints/run-text.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';

/** For whom waits what waits: the reader, unless they may only look. */
export function useWhom(): Whom {
  return useStore(useSession().state)?.reader.may === 'read' ? 'others' : 'you';
}
