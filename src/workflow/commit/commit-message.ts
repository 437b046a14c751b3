import { clip } from '../../lib/text/clip.ts';
import type { Project } from '../project/project.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { readTaskFile } from '../task/read-task-file.ts';

/** Which work a commit is of. */
export type CommitKey = { readonly stream: string; readonly taskId: string; readonly attempt: number };

/** Longest first line of a message, in UTF-16 units: more is cut off by most programs that show it. */
const MAX_SUBJECT_LENGTH = 72;

/** What somebody has changed of a task behind its commit. `by`: who has said so. */
export type PutRight = { readonly by: string | undefined };

/** The message of a task's commit: what the task is called, and lines that programs find it by. */
export function commitMessage(key: CommitKey, subject: string, putRight?: PutRight): string {
  const first = putRight ? clip(`Put right by hand: ${subject}`, MAX_SUBJECT_LENGTH) : subject;
  const by = putRight?.by === undefined ? [] : [`Clifford-Put-Right-By: ${cleanLine(putRight.by)}`];
  return `${first}\n\n${[...trailersOf(key), ...by].join('\n')}\n`;
}

/** Whether a message is that of this task's commit; with a run, that of one made by hand for it. */
export function isMessageOf(key: CommitKey, message: string, runId?: string): boolean {
  const lines = new Set(message.split('\n').map((line) => line.trimEnd()));
  return trailersByHand(key, runId).every((trailer) => lines.has(trailer));
}

/** The last lines of such a message. */
function trailersOf({ stream, taskId, attempt }: CommitKey): string[] {
  return [`Clifford-Sprint: ${stream}`, `Clifford-Task: ${taskId.trim()}`, `Clifford-Attempt: ${attempt}`];
}

/**
 * The last lines of a message of a commit that is made by hand: those of Clifford's own, and the run of the attempt, which no other
 * sprint has had, also one that was called the same.
 */
export function trailersByHand(key: CommitKey, runId: string | undefined): string[] {
  return [...trailersOf(key), ...(runId === undefined ? [] : [`Clifford-Run: ${runId}`])];
}

/** The first heading of a task's file, as the first line of a message; without one, its id. */
export async function subjectOfTask(
  { root, asLogged }: Pick<Project, 'root' | 'asLogged'>,
  { dir, file, taskId }: { dir: string; file: string; taskId: string },
): Promise<string> {
  const text = (await readTaskFile(root, dir, file)) ?? '';
  const heading = firstHeading(text);
  const subject = asLogged(heading === '' ? `Task ${taskId}` : heading);
  return clip(subject, MAX_SUBJECT_LENGTH);
}

function firstHeading(markdown: string): string {
  // What stands in a block of code, or before the text, is no heading.
  const text = markdown
    .replace(/^\uFEFF?---\r?\n[^]*?\n---[ \t]*(\r?\n|$)/, '')
    .replaceAll(/^(```|~~~)[^]*?^\1/gm, '');
  const [, heading = ''] = /^#{1,6}[ \t]+(.*)$/m.exec(text) ?? [];
  return cleanLine(heading.trimEnd().replace(/(?<![ \t])[ \t]+#+$/, ''));
}
