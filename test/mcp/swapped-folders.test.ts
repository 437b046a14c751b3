import fs, { renameSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../src/workflow/requests/ask.ts';
import { addTask } from '../../src/workflow/task/add-task.ts';
import { findSprintFolder, listSprintFolders } from '../../src/workflow/sprint/sprint-folders.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { eventsOf } from './support/project-log.ts';

/** A folder outside of the project, with a file of each name. */
async function outside(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clifford-outside-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

/**
 * Right after somebody has looked where `at` really is, a link to `target` is in the place of `path`; `skip`: after the
 * look behind so many.
 */
function swapAfterLook(at: string, path: string, target: string, { skip = 0 } = {}): { looks: number } {
  const { realpathSync } = fs;
  const seen = { looks: 0 };
  const watched = (looked: string) => {
    const place = realpathSync(looked);
    if (place !== at) return place;
    seen.looks += 1;
    if (seen.looks !== skip + 1) return place;
    renameSync(path, `${path}.before`);
    symlinkSync(target, path);
    return place;
  };
  fs.realpathSync = Object.assign(watched, { native: realpathSync.native }) as typeof realpathSync;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.realpathSync = realpathSync;
    syncBuiltinESMExports();
  });
  return seen;
}

/** Right after somebody has looked what a folder is, a link to `target` is in its place: below it nothing was there to look at. */
function swapAfterStat(path: string, target: string): void {
  const { lstatSync } = fs;
  const restore = () => {
    Object.assign(fs, { lstatSync });
    syncBuiltinESMExports();
  };
  const watched = (...looked: Parameters<typeof lstatSync>) => {
    const found = lstatSync(...looked);
    if (looked[0] !== path) return found;
    restore();
    renameSync(path, `${path}.before`);
    symlinkSync(target, path);
    return found;
  };
  Object.assign(fs, { lstatSync: watched });
  syncBuiltinESMExports();
  onTestFinished(restore);
}

const update = { sprintId: 'demo', sprintName: 'Doors', entries: ['Added: a door'] };

it.each([
  ['out of the project', undefined],
  ['to .clifford', '.clifford'],
])('update_changelog writes nothing where a link that came leads %s', async (_where, inside) => {
  const { root, project } = await projectWithSprint();
  await mkdir(join(root, 'x'));
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ changelog: { file: 'x/events.jsonl' } }));
  const elsewhere = inside === undefined ? await outside({ 'events.jsonl': 'ours' }) : join(root, inside);
  const { call } = await connectAgent(root);
  swapAfterLook(join(root, 'x'), join(root, 'x'), elsewhere);
  expect(textOf(await call('update_changelog', update))).toMatch(
    /^Cannot write \S+events\.jsonl: Cannot use \S+x: it is not where it was: /,
  );
  expect(await readFile(join(elsewhere, 'events.jsonl'), 'utf8')).not.toContain('Changelog');
  expect(await eventsOf(project, 'changelog.updated')).toHaveLength(1);
});

it('update_changelog makes no folder where a link that came leads', async () => {
  const { root } = await projectWithSprint();
  await mkdir(join(root, 'x'));
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ changelog: { file: 'x/y/z/C.md' } }));
  const elsewhere = await outside();
  const { call } = await connectAgent(root);
  swapAfterStat(join(root, 'x'), elsewhere);
  expect(textOf(await call('update_changelog', update))).toMatch(
    /^Cannot write \S+C\.md: Cannot use \S+x: it is not where it was: /,
  );
  expect(await readdir(elsewhere)).toEqual([]);
});

it('the task file that an agent gets is none that a link which came leads to', async () => {
  const { root, dir } = await projectWithSprint();
  const elsewhere = await outside({ key: 'PRIVATE' });
  const { text } = await connectAgent(root);
  const seen = swapAfterLook(join(dir, 'a.md'), join(dir, 'a.md'), join(elsewhere, 'key'));
  expect(await text('get_sprint_context', { sprintDir: 'sprints/demo' })).not.toContain('PRIVATE');
  expect(seen.looks).toBe(1);
});

it('nor is it in a folder that a link which came leads to', async () => {
  const { root, dir } = await projectWithSprint();
  const elsewhere = await outside({ 'a.md': 'PRIVATE' });
  const { text } = await connectAgent(root);
  const seen = swapAfterLook(join(dir, 'a.md'), dir, elsewhere);
  expect(await text('get_sprint_context', { sprintDir: 'sprints/demo' })).not.toContain('PRIVATE');
  expect(seen.looks).toBe(1);
});

it('an error about a manifest shows nothing of what a link which came leads to', async () => {
  const { root, dir } = await projectWithSprint();
  const elsewhere = await outside({ key: 'PRIVATE' });
  const { text } = await connectAgent(root);
  const manifest = join(dir, 'manifest.json');
  swapAfterLook(manifest, manifest, join(elsewhere, 'key'));
  expect(await text('get_sprint_context', { sprintDir: 'sprints/demo' })).toMatch(
    /^Cannot read manifest \S+: it is a symbolic link/,
  );
});

it('statuses and reports are not written where a link that came leads', async () => {
  const { root, dir, project } = await projectWithSprint();
  const manifest = await readFile(join(dir, 'manifest.json'), 'utf8');
  const elsewhere = await outside({ 'manifest.json': manifest });
  const { text } = await connectAgent(root);
  await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'active' });
  // Looked at last when the projection is written.
  const seen = swapAfterLook(join(dir, 'manifest.json'), dir, elsewhere, { skip: 1 });
  await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'completed' });
  expect(seen.looks).toBe(2);
  expect(await readFile(join(elsewhere, 'manifest.json'), 'utf8')).toBe(manifest);
  await project.refresh();
});

it('a task is not added where a link that came leads', async () => {
  const { root, dir, project } = await projectWithSprint();
  const manifest = await readFile(join(dir, 'manifest.json'), 'utf8');
  const elsewhere = await outside({ 'manifest.json': manifest });
  const folder = findSprintFolder(await listSprintFolders(root), 'demo');
  swapAfterLook(dir, dir, elsewhere);
  const task = { id: 'c', file: 'c.md', text: 'do', dependsOn: [] };
  await expect(addTask(project, folder, task)).rejects.toMatchObject({ code: 'FOLDER_LINKED' });
  expect(await readdir(elsewhere)).toEqual(['manifest.json']);
  expect(await readFile(join(elsewhere, 'manifest.json'), 'utf8')).toBe(manifest);
});

it('a question is not shown as a file where a link that came leads', async () => {
  const { root, project } = await projectWithSprint();
  await mkdir(join(root, 'q'));
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ clarification: { questionsDir: 'q' } }));
  await ask(project, { stream: 'demo', agent: { id: 'a' }, kind: 'clarification', question: 'Which?' });
  const elsewhere = await outside();
  const problems: string[] = [];
  swapAfterLook(join(root, 'q'), join(root, 'q'), elsewhere);
  await connectAgent(root, {
    questionFiles: true,
    onServer: (server) => void server.on('error', (problem) => problems.push(String(problem))),
  });
  await vi.waitFor(() => expect(problems).not.toEqual([]), { timeout: 10_000 });
  expect(problems[0]).toMatch(/^Cannot write q\/q\S+\.json: FOLDER_LINKED\. /);
  expect(await readdir(elsewhere)).toEqual([]);
});
