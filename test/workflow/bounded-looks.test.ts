import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/events/approval.ts';
import { MOST_NAMES } from '../../src/lib/files/path-follower.ts';
import { seeChanges } from '../../src/views/calls/seen-changes.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { callOfFiles, CallPlaces } from '../../src/workflow/requests/call-places.ts';
import { compareFiles } from '../../src/workflow/requests/compare-files.ts';
import { filesStamp } from '../../src/workflow/requests/files-now.ts';
import { SeenFiles } from '../../src/workflow/requests/seen-files.ts';
import { approval } from '../helpers/approval.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

let calls = 0;

function askOwn(project: Project, args: Approval['args']) {
  calls += 1;
  const own = { server: '@opencode', tool: 'edit', isOwn: true, callDigest: `call-${calls}` } as const;
  return askApproval(project, {
    stream: 'demo',
    agent: { id: `agent-${calls}` },
    approval: { ...approval, ...own, callId: `call-${calls}`, args },
  });
}

/** So many files in one folder that is not there, and the arguments that name them. */
const many = (count: number, folder = 'f') => Array.from({ length: count }, (_, at) => `${folder}/${at}`);
const naming = (paths: readonly string[]) => ({ path: 'y', content: 'a\nb\n', files: [...paths] });

const pathsOf = seeChanges.pathsOf;

describe('a call that names', () => {
  it.each([
    ['more names', 'a/'.repeat(30_000)],
    ['more bytes', 'ä'.repeat(2_048)],
  ])(
    'a path of %s than the system takes is shown with that, and no place is looked at',
    async (_of, path) => {
      const { project } = await projectWithSprint();
      const request = await askOwn(project, { path, content: 'x\ny' });
      const { files, seen, failed } = await compareFiles(project, request, seeChanges);
      expect([...files.values()]).toEqual([{ is: 'unread', why: 'the system says ENAMETOOLONG' }]);
      expect([typeof seen, failed]).toEqual(['string', undefined]);
      expect((await filesStamp(project, callOfFiles(request), [path])).names).toBe(0);
    },
  );

  it('more files than are followed is compared with those that are, and no name more is followed', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'y'), 'a\n');
    const request = await askOwn(project, naming(many(3_000)));
    const { files, failed } = await compareFiles(project, request, seeChanges);
    expect([files.size, failed]).toEqual([3_001, undefined]);
    expect(files.get('y')).toEqual({ is: 'text', text: 'a\n' });
    expect(files.get('f/2999')).toEqual({ is: 'unread', why: 'there are too many' });
    const { names } = await filesStamp(project, callOfFiles(request), pathsOf(request.asked.approval?.args));
    expect(names).toBe(MOST_NAMES);
    const places = new CallPlaces(project, callOfFiles(request));
    for (const path of many(3_000)) await places.find(path);
    expect(await places.find('y')).toEqual({ why: 'there are too many' });
  });
});

describe('of many calls', () => {
  it('so many paths are looked at each time in all, and each call in its turn', async () => {
    const { project } = await projectWithSprint();
    const waiting = await Promise.all(
      [1, 2, 3, 4].map((at) => askOwn(project, naming(many(3_000, `${at}`)))),
    );
    const ids = waiting.map(({ id }) => id);
    const seen = new SeenFiles(pathsOf);
    const lookedAt = async (first: readonly string[] = []) =>
      (await seen.changed(project, waiting, first)).map(({ id }) => ids.indexOf(id));
    expect([await lookedAt(), await lookedAt(), await lookedAt(), await lookedAt()]).toEqual([
      [0],
      [1],
      [2],
      [3],
    ]);
    expect(await lookedAt()).toEqual([]);
  });

  it('the one that somebody is about to decide on is looked at each time', async () => {
    const { root, project } = await projectWithSprint();
    const waiting = await Promise.all([1, 2, 3].map((at) => askOwn(project, naming(many(3_000, `${at}`)))));
    const small = await askOwn(project, { path: 'a.txt', content: 'a\nb\n' });
    const seen = new SeenFiles(pathsOf);
    const changed = () => seen.changed(project, [...waiting, small], [small.id]);
    expect((await changed()).map(({ id }) => id)).toContain(small.id);
    expect((await changed()).map(({ id }) => id)).not.toContain(small.id);
    await writeFile(join(root, 'a.txt'), 'mine\n');
    expect((await changed()).map(({ id }) => id)).toContain(small.id);
  });

  it('each is looked at again when its turn comes, and found changed then', async () => {
    const { root, project } = await projectWithSprint();
    const waiting = await Promise.all([1, 2, 3].map((at) => askOwn(project, naming(many(3_000, `${at}`)))));
    const small = await askOwn(project, { path: 'a.txt', content: 'a\nb\n' });
    const seen = new SeenFiles(pathsOf);
    const all = [...waiting, small];
    const rounds = async () => {
      const found: string[] = [];
      for (const _ of all) found.push(...(await seen.changed(project, all)).map(({ id }) => id));
      return found;
    };
    expect((await rounds()).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    expect(await rounds()).toEqual([]);
    await writeFile(join(root, 'a.txt'), 'mine\n');
    expect(await rounds()).toEqual([small.id]);
    await writeFile(join(root, 'y'), 'mine\n');
    expect((await rounds()).toSorted()).toEqual(waiting.map(({ id }) => id).toSorted());
  });
});
