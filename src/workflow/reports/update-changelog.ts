import type { Project } from '../project/project.ts';

/**
 * Records entries of a sprint for the changelog, and under which name. Those it has already are passed
 * over: nothing new is a success without an event.
 */
export async function updateChangelog(
  project: Project,
  { stream, sprintName, entries }: { stream: string; sprintName: string; entries: readonly string[] },
): Promise<void> {
  // The log keeps no secrets: an entry that holds one is known again as the log has it.
  const name = project.asLogged(sprintName);
  const logged = [...new Set(entries.map(project.asLogged))];
  await project.dispatch(stream, (state) => {
    const known = state.streams.get(stream)?.changelog;
    const isKnown = logged.every((entry) => known?.entries.includes(entry));
    if (known?.name === name && isKnown) return [];
    return [{ type: 'changelog.updated', subject: stream, data: { entries: logged, sprintName: name } }];
  });
}
