import { changeText } from '../../views/changes/change-text.ts';
import { changesBetween } from '../../views/events/changes-between.ts';
import { openCursor } from '../../workflow/history/history-cursor.ts';
import type { Until } from '../../workflow/history/until.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';
import { hanging } from '../text/paragraph.ts';

/** Two moments of a history; without `until` the later one is its last event. */
export type Span = { readonly since: Until; readonly until: Until | undefined };

/**
 * Prints what has changed in a stream from one moment to another, whichever of them is the earlier one.
 *
 * @throws as `openCursor`.
 */
export async function printChanges(
  cli: Cli,
  project: Project,
  { stream, since, until, json }: Span & { readonly stream: string; readonly json: boolean },
): Promise<void> {
  const cursor = await openCursor(project, stream);
  try {
    const stateAt = async (version: number) =>
      version === 0 ? undefined : (await cursor.seek(version)).state.streams.get(stream);
    const ends = [cursor.versionOf(since), until ? cursor.versionOf(until) : cursor.length];
    const [from, to] = [Math.min(...ends), Math.max(...ends)];
    const changes = changesBetween(await stateAt(from), await stateAt(to));
    if (json) return cli.printJson({ sprint: stream, from, to, changes });
    cli.print(cli.style('bold', `${stream}, from version ${from} to ${to}`));
    if (changes.length === 0) cli.print('  nothing has changed');
    for (const change of changes) cli.print(hanging(cli, '  ', changeText(change), 2));
  } finally {
    await cursor.close();
  }
}
