import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { enterSprint } from '../../src/workflow/sprint/enter-sprint.ts';
import { findSprintFolder, listSprintFolders } from '../../src/workflow/sprint/sprint-folders.ts';
import { openTestProject, tempRoot, writeSprint } from './temp-project.ts';

/** Tasks enough to move among. */
const tasks = Array.from({ length: 12 }, (_, at) => `a${String(at + 1).padStart(2, '0')}`);
/** All of them need one that fails. */
const after = [
  { id: 'only', file: 'only.md', status: 'pending' },
  ...tasks.map((id) => ({ id, file: `${id}.md`, status: 'pending', dependsOn: ['only'] })),
];
const lines = Array.from({ length: 200 }, (_, at) => `- line ${at + 1}`).join('\n');
const HOUR_MS = 3_600_000;
/** Events of the past: as many questions and answers, an hour apart. */
const EXCHANGES = 10;

export const agent = { id: 'session-1', client: 'demo-agent' };

/**
 * A project in which each key has something to do: `demo` with long tasks and a history, `web` in which questions are asked, and
 * `fails` and `hangs`, whose
 * agents do that.
 */
export async function keyWalkProject(): Promise<{ readonly root: string; readonly project: Project }> {
  const root = await tempRoot();
  const dir = await writeSprint(root, { id: 'demo', tasks });
  await Promise.all(tasks.map((task) => writeFile(join(dir, `${task}.md`), `${lines}\n\n# Task ${task}\n`)));
  await writeSprint(root, { id: 'web', tasks: ['form', 'page'] });
  await writeSprint(root, { id: 'fails', tasks: ['only', ...tasks], manifest: { tasks: after } });
  await writeSprint(root, { id: 'hangs', tasks: ['last'] });
  const project = await openTestProject(root);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * EXCHANGES * HOUR_MS });
  try {
    for (const id of ['demo', 'web'])
      await enterSprint(project, findSprintFolder(await listSprintFolders(root), id));
    for (let number = 1; number <= EXCHANGES; number += 1) {
      vi.setSystemTime(Date.now() + HOUR_MS);
      const question = {
        stream: 'demo',
        agent,
        kind: 'help',
        task: 'a01',
        question: `Old ${number}?`,
      } as const;
      const { id } = await ask(project, question);
      vi.setSystemTime(Date.now() + HOUR_MS);
      await answerRequest(project, id, { by: 'bob', via: 'cli', response: `answer ${number}` });
    }
  } finally {
    vi.useRealTimers();
  }
  return { root, project };
}
