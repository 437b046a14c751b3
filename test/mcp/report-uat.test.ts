import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTestProject, projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { startServer } from './support/mcp-process.ts';
import { eventsOf } from './support/project-log.ts';

const sprintDir = 'sprints/demo';
const report = {
  sprintDir,
  taskId: 'a',
  title: 'The port can be chosen',
  changes: 'A flag `--port`.\n\nDefault: 8080.',
  verificationSteps: ['Start it with --port 9090', 'Look at http://localhost:9090'],
};
const uat = (dir: string) => readFile(join(dir, 'uat.md'), 'utf8');

describe('report_uat', () => {
  it('records the report and puts it into uat.md, a section per task', async () => {
    const { root, dir, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    await text('report_uat', { ...report, taskId: 'b', title: 'Second' });
    expect(await text('report_uat', report)).toBe('The report of task a is in sprints/demo/uat.md');
    const [, event] = await eventsOf(project, 'uat.reported');
    const { title, changes, verificationSteps: steps } = report;
    expect(event).toMatchObject({ subject: 'demo/a', data: { title, changes, steps } });

    const [head, ...sections] = (await uat(dir)).split('\n## ');
    expect(head).toMatch(
      /^<!-- Made by Clifford from the log: .* -->\n\n# User acceptance tests: Sprint demo\n$/,
    );
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      'a: The port can be chosen',
      'b: Second',
    ]);
    expect(sections[0]).toBe(
      `a: The port can be chosen\n\nReported ${event?.time}\n\n### Changes\n\n> A flag \`--port\`.\n>\n` +
        '> Default: 8080.\n\n### Verification\n\n1. [ ] Start it with --port 9090\n' +
        '2. [ ] Look at http://localhost:9090\n',
    );
  });

  it('of the same task again replaces the section; the same words again are no second event', async () => {
    const { root, dir, project } = await projectWithSprint();
    const { text } = await connectAgent(root, { env: { API_TOKEN: 'hunter2-hunter2' } });
    await text('report_uat', report);
    const second = { ...report, title: 'Better', changes: 'The token is hunter2-hunter2' };
    await text('report_uat', second);
    await text('report_uat', second);
    expect(await eventsOf(project, 'uat.reported')).toHaveLength(2);
    expect(await uat(dir)).toContain('\n## a: Better\n');
    expect(await uat(dir)).not.toMatch(/The port|hunter2/);
  });

  it('makes the file again when it was deleted or changed', async () => {
    const { root, dir } = await projectWithSprint();
    const { text } = await connectAgent(root);
    await text('report_uat', report);
    const before = await uat(dir);
    await rm(join(dir, 'uat.md'));
    await text('report_uat', report);
    expect(await uat(dir)).toBe(before);
    await writeFile(join(dir, 'uat.md'), before.replace('[ ]', '[x]'));
    await text('report_uat', report);
    expect(await uat(dir)).toBe(before);
    expect(await readdir(dir)).toEqual(['a.md', 'b.md', 'manifest.json', 'uat.md']);
  });

  it('keeps a file of that name that somebody else wrote, under another name', async () => {
    const { root, dir } = await projectWithSprint();
    await writeFile(join(dir, 'uat.md'), '# My own list\n');
    const { text } = await connectAgent(root);
    await text('report_uat', report);
    await text('report_uat', { ...report, title: 'Again' });
    expect(await readFile(join(dir, 'uat.before-clifford.md'), 'utf8')).toBe('# My own list\n');
    expect(await uat(dir)).toContain('## a: Again');
  });

  it('keeps a second such file, too', async () => {
    const { root, dir } = await projectWithSprint();
    const { text } = await connectAgent(root);
    for (const mine of ['# First\n', '# Second\n']) {
      await writeFile(join(dir, 'uat.md'), mine);
      await text('report_uat', { ...report, title: mine });
    }
    expect(await readFile(join(dir, 'uat.before-clifford.md'), 'utf8')).toBe('# First\n');
    expect(await readFile(join(dir, 'uat.before-clifford-2.md'), 'utf8')).toBe('# Second\n');
  });

  it.each(['.git', '.clifford'])(
    'writes nothing into %s, where the folder of the sprint leads',
    async (to) => {
      const root = await tempRoot();
      const dir = await writeSprint(root);
      const place = join(root, to, 'demo');
      await mkdir(join(root, to), { recursive: true });
      await rename(dir, place);
      await symlink(place, dir);
      const before = await readdir(place);
      const { text } = await connectAgent(root);
      await text('report_uat', report);
      expect(await eventsOf(await openTestProject(root), 'uat.reported')).toHaveLength(1);
      expect(await readdir(place)).toEqual(before);
    },
  );

  it('forges no section, whatever it says', async () => {
    const { root, dir } = await projectWithSprint();
    const { text } = await connectAgent(root);
    await text('report_uat', {
      ...report,
      title: 'One\n\n## b: forged',
      changes: 'One\n## b: forged\r\n```\n<!-- hidden\rTwo\n---\n\u2028## c: forged',
      verificationSteps: ['look\n## b: forged', '## b: forged', '<!-- hidden', '```'],
    });
    await text('report_uat', { ...report, taskId: 'b' });
    const lines = (await uat(dir)).split('\n');
    expect(lines.filter((line) => /^\s{0,3}#{1,2} /.test(line))).toEqual([
      '# User acceptance tests: Sprint demo',
      String.raw`## a: One \#\# b: forged`,
      '## b: The port can be chosen',
    ]);
    expect(lines.filter((line) => /^(\s{0,3}(```|---)|[^>]*\r)/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.includes('<!--'))).toHaveLength(1);
  });

  it('of a task that the sprint does not have is refused', async () => {
    const { root, dir, project } = await projectWithSprint();
    const { call } = await connectAgent(root);
    const result = await call('report_uat', { ...report, taskId: 'c' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe('Cannot find task c in sprint demo. Its tasks are a, b');
    expect(await eventsOf(project, 'uat.reported')).toEqual([]);
    expect(existsSync(join(dir, 'uat.md'))).toBe(false);
  });

  it('that cannot be written is in the log, and in the file once that is possible', async () => {
    const { root, dir, project } = await projectWithSprint();
    await mkdir(join(dir, 'uat.md'));
    const { text } = await connectAgent(root);
    const said = await text('report_uat', report);
    expect(said).toMatch(
      /^The report of task a is recorded\. Cannot write \S+uat\.md: .*; the file is written when/,
    );
    expect(said).not.toContain('\n');
    expect(await eventsOf(project, 'uat.reported')).toHaveLength(1);
    await rm(join(dir, 'uat.md'), { recursive: true });
    await expect.poll(() => existsSync(join(dir, 'uat.md'))).toBe(true);
    expect(await uat(dir)).toContain('## a: The port');
  });

  it('replaces a link in its place, and leaves alone where it leads to', async () => {
    const { root, dir } = await projectWithSprint();
    await writeFile(join(root, 'other.md'), 'mine');
    await symlink(join(root, 'other.md'), join(dir, 'uat.md'));
    await (await connectAgent(root)).text('report_uat', report);
    expect(await readFile(join(root, 'other.md'), 'utf8')).toBe('mine');
    expect(await uat(dir)).toContain('## a: The port');
  });

  it('from several processes at once loses nothing', async () => {
    const root = await tempRoot();
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const dir = await writeSprint(root, { tasks });
    const first = await startServer(root).connect();
    const second = await startServer(root).connect();
    const calls = tasks.map((taskId, index) =>
      (index % 2 ? first : second).call('report_uat', { ...report, taskId }),
    );
    for (const result of await Promise.all(calls)) expect(result.isError, textOf(result)).toBeFalsy();
    for (const taskId of tasks) expect(await uat(dir)).toContain(`\n## ${taskId}: The port`);
    const { state } = await openTestProject(root);
    expect([...(state.streams.get('demo')?.tasks.values() ?? [])].every((task) => task.uat)).toBe(true);
    expect((await readdir(dir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});
