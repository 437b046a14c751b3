import type { EventData } from '../../events/catalog.ts';
import { Git } from '../git/git.ts';
import type { Project } from '../project/project.ts';
import { KEPT_REFS } from './keeper.ts';

/** Work of a task that git keeps by a reference of its own. */
export type KeptWork = EventData<'worktree.kept'> & { readonly stream: string; readonly taskId: string };

/** What of the work of all tasks is kept: without what somebody has forgotten since. */
export async function keptWork(
  { root, state }: Pick<Project, 'root' | 'state'>,
  { only, signal }: { readonly only?: string | undefined; readonly signal: AbortSignal },
): Promise<KeptWork[]> {
  const said = [...state.streams.values()]
    .filter(({ id }) => only === undefined || id === only)
    .flatMap(({ id: stream, tasks }) =>
      [...tasks.values()].flatMap(({ id: taskId, kept = [] }) =>
        kept.map((each) => ({ stream, taskId, ...each })),
      ),
    );
  if (said.length === 0) return [];
  const git = new Git({ cwd: root, env: {}, signal });
  const refs = new Set(
    (await git.read(['for-each-ref', '--format=%(refname)', `${KEPT_REFS}/`])).split('\n'),
  );
  return said.filter(({ ref }) => refs.has(ref));
}
