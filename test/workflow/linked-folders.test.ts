import { mkdir, mkdtemp, readdir, symlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openProject } from '../../src/workflow/project/project.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

async function folderOutside(): Promise<string> {
  const outside = await mkdtemp(join(tmpdir(), 'clifford-outside-'));
  onTestFinished(() => rm(outside, { recursive: true, force: true }));
  return outside;
}

const folders = [
  'cache',
  'quarantine',
  'rejected',
  'locks',
  'claimed',
  'transcripts',
  'mcp',
  'results',
  'definitions',
  'before',
  'temporary-edits',
  'run',
];

it.each(folders)('.clifford/%s as a link is refused before anything is written there', async (name) => {
  const root = await tempRoot();
  const outside = await folderOutside();
  // A torn tail, and an answer to nothing, would be moved there.
  await writeFile(join(root, '.clifford/events.jsonl'), '{"torn');
  await writeFile(join(root, '.clifford/mcp-response.json'), '{}');
  await symlink(outside, join(root, '.clifford', name));
  await expect(openProject({ root, source: '/clifford/cli', env: {} })).rejects.toMatchObject({
    message: `Cannot use ${join(root, '.clifford', name)}: it is a symbolic link`,
    code: 'FOLDER_LINKED',
    recovery: 'fix-input',
  });
  expect(await readdir(outside)).toEqual([]);
});

async function withLinks(command: string) {
  const { root, project } = await projectWithSprint();
  await project.close();
  const outside = await folderOutside();
  for (const name of folders) {
    await rm(join(root, '.clifford', name), { recursive: true, force: true });
    await symlink(outside, join(root, '.clifford', name));
  }
  const { code, err } = await clifford(command.split(' '), { cwd: root, input: '' });
  return { code, err: err.replaceAll(root, '/p'), written: await readdir(outside) };
}

it.each(['status', 'run --agent-cmd true', 'ask --question Why?', 'replay'])(
  'clifford %s ends with 2 and names the link',
  async (command) => {
    expect(await withLinks(command)).toEqual({
      code: 2,
      err:
        'clifford: Cannot use /p/.clifford/before: it is a symbolic link\n' +
        '  Remove the link: Clifford makes a folder there when it needs one\n',
      written: [],
    });
  },
);

it.each(['doctor', 'mcp list', 'mcp serve'])('clifford %s writes nothing through a link', async (command) => {
  expect(await withLinks(command)).toMatchObject({ written: [] });
});

it('.clifford itself may be a link within the project, and not out of it', async () => {
  const root = await tempRoot();
  await rm(join(root, '.clifford'), { recursive: true });
  await mkdir(join(root, 'state'));
  await symlink('state', join(root, '.clifford'));
  const project = await openProject({ root, source: '/clifford/cli', env: {} });
  await project.close();
  await rm(join(root, '.clifford'));
  const outside = await folderOutside();
  await symlink(outside, join(root, '.clifford'));
  await expect(openProject({ root, source: '/clifford/cli', env: {} })).rejects.toThrow(
    `Cannot use ${join(root, '.clifford')}: it is a symbolic link that leads out of the project`,
  );
  expect(await readdir(outside)).toEqual([]);
});
