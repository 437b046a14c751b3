import { endOf } from '../../gateway/wait/wait-for-human.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';

/** Does something with a signal that aborts once the request is closed, by whomever, in whatever face. */
export async function whileOpen<T>(
  project: Project,
  request: RequestState,
  does: (closed: AbortSignal) => Promise<T>,
): Promise<T> {
  const closed = new AbortController();
  const done = new AbortController();
  // What keeps the log from being followed keeps an answer from being recorded: that says so.
  const watching = project.until(endOf(request), { signal: done.signal }).then(
    () => closed.abort(),
    () => undefined,
  );
  try {
    return await does(closed.signal);
  } finally {
    done.abort();
    await watching;
  }
}
