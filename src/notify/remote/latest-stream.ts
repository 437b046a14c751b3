import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { ProjectState } from '../../machines/project-state.ts';

/** Where something happened last: what is about no sprint in particular is said there. */
export function latestStream({ streams }: ProjectState): string {
  const [latest] = streams
    .loaded()
    .toSorted((a, b) => ((a.lastEventAt ?? '') < (b.lastEventAt ?? '') ? 1 : -1));
  return latest?.id ?? ADHOC_STREAM;
}
