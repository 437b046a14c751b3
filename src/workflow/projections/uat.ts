import { existsSync, lstatSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { SprintState } from '../../machines/project-state.ts';
import type { UatReport } from '../../machines/task-state.ts';
import { listItem, plainText, quotation } from '../reports/markdown-text.ts';
import { readOwnFile } from '../../lib/files/plain-file.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';

/** The file in a sprint's folder. */
export const UAT_FILE = 'uat.md';

/** Longest file that is read, in bytes. */
const MAX_BYTES = 268_435_456;

const HEAD =
  '<!-- Made by Clifford from the log: what is changed here is overwritten by the next report. -->';

/** Writes what agents reported of a sprint's finished tasks, if they did. */
export async function writeUat(path: string, sprint: SprintState): Promise<void> {
  if (!hasReports(sprint)) return;
  const text = uatText(sprint);
  if (contentOf(path) === text) return;
  await keepForeign(path);
  await writeAtomically(path, text, { mode: 0o666 });
}

/** Whether the file says what the log says. One that somebody took away need not. */
export async function isUatUpToDate(path: string, sprint: SprintState): Promise<boolean> {
  if (!hasReports(sprint) || !lstatSync(path, { throwIfNoEntry: false })) return true;
  return contentOf(path) === uatText(sprint);
}

function hasReports({ tasks }: SprintState): boolean {
  return [...tasks.values()].some(({ uat }) => uat !== undefined);
}

/** `undefined`: there is no plain file. */
function contentOf(path: string): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  return readOwnFile(path, { maxBytes: MAX_BYTES }).toString('utf8');
}

/** A file of that name that somebody else wrote stays, under a name that is free. */
async function keepForeign(path: string): Promise<void> {
  const text = contentOf(path);
  if (text === undefined || text.startsWith(HEAD)) return;
  let kept = path.replace(/\.md$/, '.before-clifford.md');
  for (let number = 2; existsSync(kept); number += 1) {
    kept = path.replace(/\.md$/, `.before-clifford-${number}.md`);
  }
  await rename(path, kept);
}

/** The file: a section per task that has a report, in the manifest's order. */
function uatText(sprint: SprintState): string {
  const sections = [...sprint.tasks.values()].flatMap(({ id, uat }) => (uat ? [section(id, uat)] : []));
  return [HEAD, `# User acceptance tests: ${plainText(sprint.name)}`, ...sections].join('\n\n').concat('\n');
}

function section(taskId: string, { title, changes, steps, at }: UatReport): string {
  const list = steps.map((step, index) => `${index + 1}. [ ] ${listItem(step)}`);
  return [
    `## ${plainText(taskId)}: ${plainText(title)}`,
    `Reported ${at}`,
    '### Changes',
    quotation(changes),
    '### Verification',
    list.length === 0 ? 'No steps were named.' : list.join('\n'),
  ].join('\n\n');
}
