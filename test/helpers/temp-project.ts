import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { enterSprint } from '../../src/workflow/sprint/enter-sprint.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { logEnv } from './log-env.ts';
import { findSprintFolder, listSprintFolders } from '../../src/workflow/sprint/sprint-folders.ts';

/** A folder of its own with `.clifford/`, removed when the test is finished. */
export async function tempRoot(below = tmpdir()): Promise<string> {
  const root = await realpath(await mkdtemp(join(below, 'clifford-test-')));
  // What a server had begun to write may come after it was closed.
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 }));
  await mkdir(join(root, '.clifford'));
  return root;
}

/** A manifest whose tasks have their files beside it. */
const filesOfTasks = z.object({ tasks: z.array(z.object({ file: z.string().regex(/^[\w-]+\.md$/) })) });

/** Writes `sprints/<id>` with a manifest and a markdown file per task. Returns the folder. */
export async function writeSprint(
  root: string,
  {
    id = 'demo',
    tasks = ['a', 'b'],
    manifest = {},
  }: { id?: string; tasks?: readonly string[]; manifest?: object } = {},
): Promise<string> {
  const dir = join(root, 'sprints', id);
  await mkdir(dir, { recursive: true });
  const entries = tasks.map((task) => ({ id: task, file: `${task}.md`, status: 'pending' }));
  const text = JSON.stringify(
    { id, name: `Sprint ${id}`, status: 'pending', tasks: entries, ...manifest },
    null,
    2,
  );
  await writeFile(join(dir, 'manifest.json'), text);
  const named = filesOfTasks.safeParse(manifest).data?.tasks.map(({ file }) => file) ?? [];
  const files = new Set([...tasks.map((task) => `${task}.md`), ...named]);
  await Promise.all(
    [...files].map((file) => writeFile(join(dir, file), `# Task ${basename(file, '.md')}\n`)),
  );
  return dir;
}

/** Opens the project in `root`, as another process would, and closes it when the test is finished. */
export async function openTestProject(root: string, env: Record<string, string> = {}): Promise<Project> {
  const project = await openProject({ root, source: '/clifford/cli', env: { ...logEnv(), ...env } });
  onTestFinished(() => project.close());
  return project;
}

/** A project with one sprint in its log. */
export async function projectWithSprint(
  sprint: Parameters<typeof writeSprint>[1] = {},
): Promise<{ root: string; dir: string; project: Project; stream: string }> {
  const root = await tempRoot();
  const dir = await writeSprint(root, sprint);
  const project = await openTestProject(root);
  const { id } = await enterSprint(
    project,
    findSprintFolder(await listSprintFolders(root), sprint.id ?? 'demo'),
  );
  return { root, dir, project, stream: id };
}
