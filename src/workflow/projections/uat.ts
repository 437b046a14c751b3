import { existsSync, lstatSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ProjectState, SprintState, UatReport } from '../../machines/project-state.ts';
import { listItem, plainText, quotation } from '../reports/markdown-text.ts';
import { writeAtomically } from '../../lib/files/write-atomically.ts';
import { underProjectionLock } from './projection-lock.ts';
import { unwritable } from './unwritable.ts';

/** The file in a sprint's folder. */
export const UAT_FILE = 'uat.md';

const HEAD =
  '<!-- Made by Clifford from the log: what is changed here is overwritten by the next report. -->';

const FIX = 'Make room for the file and report again: nothing is lost';

/**
 * Writes what agents reported of a sprint's finished tasks to `uat.md`, from the newest state and under
 * the lock of the projections. Returns its path.
 *
 * @throws {CliffordError} `PROJECTION_UNWRITABLE`; the reports stand in the log all the same.
 */
export async function writeUat(
  project: { root: string; dir: string; refresh: () => Promise<ProjectState> },
  stream: string,
): Promise<string> {
  return underProjectionLock({ dir: project.dir, name: 'projections', fix: FIX }, async () => {
    const sprint = (await project.refresh()).streams.get(stream);
    if (sprint?.manifest === undefined) throw new Error(`sprint ${stream} has no folder`);
    const path = join(project.root, dirname(sprint.manifest), UAT_FILE);
    try {
      await keepForeign(path);
      await writeAtomically(path, uatText(sprint), { mode: 0o666 });
    } catch (cause) {
      throw unwritable(path, cause, { fix: FIX });
    }
    return path;
  });
}

/** A file of that name that somebody else wrote stays, under a name that is free. */
async function keepForeign(path: string): Promise<void> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return;
  if ((await readFile(path, 'utf8')).startsWith(HEAD)) return;
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
