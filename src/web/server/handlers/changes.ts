import { setTimeout as pause } from 'node:timers/promises';
import { secretsOf } from '../../../events/secrets/redaction.ts';
import { changesText } from '../../../views/changes/changed-files.ts';
import { toldChanges } from '../../../workflow/commit/told-changes.ts';
import type { FileChange } from '../../../workflow/git/git-diff.ts';
import type { SentChanges } from '../../api/changes.ts';
import { knownSprint } from '../known-sprint.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serving } from '../serving.ts';
import type { Handlers } from './handlers.ts';

/** Of one file so much of its differences is sent, and of all of them, in characters. */
const MOST_OF_FILE = 200_000;
const MOST_OF_ALL = 1_000_000;
/** Git looks at the same task at most so often, however many ask, in ms. */
const KEPT_MS = 2_000;

/** What tasks changed. */
export function changesHandlers(serving: Serving): Pick<Handlers, 'changes'> {
  const { project, histories, env } = serving;
  const { redactText } = secretsOf(env);
  const looks = new Map<string, Promise<SentChanges>>();

  const look = async (stream: string, task: string, sha: string | undefined): Promise<SentChanges> => {
    const changes = await toldChanges(project, { stream, task, sha });
    let left = MOST_OF_ALL;
    const files = changes.files.map((file) => {
      const sent = sentFile(file, Math.min(left, MOST_OF_FILE), redactText);
      left -= sent.patch.length;
      return sent;
    });
    return { about: changesText(changes), files };
  };

  return {
    changes: async ({ params: { id }, query: { task, until } }) => {
      await knownSprint(serving, id);
      if (!project.state.streams.get(id)?.tasks.has(task)) throw notFound(`task ${task} of ${id}`);
      const sha = until === undefined ? undefined : await committedBy(histories, { id, task, until });
      const key = JSON.stringify([id, task, sha]);
      const looking = looks.get(key) ?? look(id, task, sha);
      if (!looks.has(key)) {
        looks.set(key, looking);
        const forget = () => pause(KEPT_MS, undefined, { ref: false }).then(() => looks.delete(key));
        looking.then(forget, forget);
      }
      return looking;
    },
  };
}

/** The commit that a task had by then. */
async function committedBy(
  histories: Serving['histories'],
  { id, task, until }: { readonly id: string; readonly task: string; readonly until: number },
): Promise<string> {
  const { state } = await histories.withCursor(id, (cursor) => cursor.seek(until));
  const commit = state.streams.get(id)?.tasks.get(task)?.commit;
  if (commit && 'sha' in commit) return commit.sha;
  throw new Refusal(409, {
    code: 'UNCOMMITTED',
    message: 'Nothing was committed by then: what the files had in them is not recorded',
    fix: 'See what it changed by now',
  });
}

function sentFile(
  { path, how, lines, patch, note }: FileChange,
  most: number,
  redactText: (text: string) => string,
): SentChanges['files'][number] {
  const isCut = patch.length > most;
  // Only whole lines: what is left of one may be read as another one.
  const shown = isCut ? patch.slice(0, patch.lastIndexOf('\n', most) + 1) : patch;
  const said = note ?? (isCut ? 'Too long: here is its beginning' : undefined);
  return {
    path,
    how,
    ...(lines === undefined ? {} : { lines: { ...lines } }),
    patch: redactText(shown),
    ...(said === undefined ? {} : { note: said }),
  };
}
