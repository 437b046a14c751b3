import { describe, expect, it } from 'vitest';
import { loadTaskSettings } from '../../../src/workflow/config/task-settings.ts';
import type { TaskFlags, TaskSettings } from '../../../src/workflow/config/task-settings.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { configured } from '../../helpers/config-files.ts';
import type { ConfigFiles } from '../../helpers/config-files.ts';
import { writeSprint } from '../../helpers/temp-project.ts';

/** The settings of task b, the second of two, where flags, entry, manifest and files say this. */
async function settingsOf({
  flags,
  entry = {},
  manifest = {},
  ...files
}: ConfigFiles & { flags?: TaskFlags; entry?: object; manifest?: object }): Promise<TaskSettings> {
  const { root, source } = await configured(files);
  const tasks = [
    { id: 'a', file: 'a.md' },
    { id: 'b', file: 'b.md', ...entry },
  ];
  await writeSprint(root, { manifest: { tasks, ...manifest } });
  const folder = findSprintFolder(await listSprintFolders(root), 'demo');
  return loadTaskSettings(source, { flags, folder, taskId: 'b' });
}

const manifestFile = 'sprints/demo/manifest.json';

describe('the settings of a task', () => {
  it('are those of its flag, its entry, its manifest, the project, the user, in this order', async () => {
    const all = {
      flags: { model: { value: 'flag', origin: 'flag --model' } },
      entry: { model: 'entry' },
      manifest: { model: 'manifest' },
      project: { model: 'project' },
      user: { model: 'user' },
    };
    const { flags, entry, manifest, project, user } = all;
    expect((await settingsOf(all)).model).toEqual({ value: 'flag', origin: 'flag --model' });
    expect((await settingsOf({ entry, manifest, project, user })).model).toEqual({
      value: 'entry',
      origin: `${manifestFile}: tasks[1].model`,
    });
    expect((await settingsOf({ manifest, project, user })).model).toEqual({
      value: 'manifest',
      origin: `${manifestFile}: model`,
    });
    expect((await settingsOf({ project, user })).model).toEqual({
      value: 'project',
      origin: 'clifford.json:2',
    });
    expect((await settingsOf({ user })).model).toEqual({
      value: 'user',
      origin: '~/.config/clifford/config.json:2',
    });
    expect((await settingsOf({})).model).toEqual({ value: undefined, origin: 'default' });
    expect((await settingsOf({ flags, entry: { model: 7 } })).problems).toEqual([]);
  });

  it('are each looked up on its own', async () => {
    const settings = await settingsOf({
      entry: { verify: [] },
      manifest: { maxAttempts: 4, verify: ['never'] },
      project: { verify: ['never'] },
    });
    expect(settings).toMatchObject({
      verify: { value: [], origin: `${manifestFile}: tasks[1].verify` },
      maxAttempts: { value: 4, origin: `${manifestFile}: maxAttempts` },
      model: { value: undefined },
      problems: [],
    });
  });

  it('pass over what a manifest cannot mean, and name it', async () => {
    const settings = await settingsOf({
      entry: { maxAttempts: 'often', verify: 'make', model: null },
      manifest: { maxAttempts: 0, model: '' },
      project: { maxAttempts: 3, model: 'm' },
    });
    expect(settings.maxAttempts).toEqual({ value: 3, origin: 'clifford.json:2' });
    expect(settings.model.value).toBe('m');
    expect(settings.verifyProblems).toEqual([expect.stringContaining('tasks[1].verify: it must be a list')]);
    expect(settings.problems).toEqual([
      `Cannot use ${manifestFile}: tasks[1].verify: it must be a list, as in ["…"] (current value is "make")`,
      `Cannot use ${manifestFile}: tasks[1].maxAttempts: it must be a whole number from 1 to 1000 (current value is "often")`,
      `Cannot use ${manifestFile}: maxAttempts: it must be a whole number from 1 to 1000 (current value is 0)`,
    ]);
  });
});

describe('the agent of a task', () => {
  const agents = { fast: { command: 'fast {prompt}' }, good: { command: 'good' } };

  it('is the command that its name stands for', async () => {
    expect(await settingsOf({ entry: { agent: 'fast' }, project: { agent: 'good', agents } })).toMatchObject({
      agent: { value: 'fast', origin: `${manifestFile}: tasks[1].agent` },
      agentCmd: { value: 'fast {prompt}', origin: 'clifford.json:5' },
    });
  });

  it.each([
    [
      'a flag over all names',
      { flags: { agentCmd: { value: 'mine', origin: 'x' } }, entry: { agent: 'fast' } },
      'mine',
    ],
    [
      'the name of the entry over a command of the manifest',
      { entry: { agent: 'fast' }, manifest: { agentCmd: 'x' } },
      'fast {prompt}',
    ],
    ['the command of the entry over its name', { entry: { agent: 'fast', agentCmd: 'x' } }, 'x'],
    [
      'the name in the project over the command of the user',
      { project: { agent: 'good', agents }, user: { agentCmd: 'x' } },
      'good',
    ],
    [
      'the command in the project over the name of the user',
      { project: { agentCmd: 'x', agents }, user: { agent: 'good' } },
      'x',
    ],
    ['the command over the name in one file', { project: { agentCmd: 'x', agent: 'good', agents } }, 'x'],
  ])('is %s', async (_rule, files, command) => {
    expect((await settingsOf({ project: { agents }, ...files })).agentCmd.value).toBe(command);
  });

  it.each(['nobody', 'constructor', 'toString'])(
    'named %s, which nobody is, has no command',
    async (agent) => {
      const settings = await settingsOf({ entry: { agent }, project: { agents, agentCmd: 'x' } });
      expect(settings.agentCmd).toEqual({ value: undefined, origin: 'default' });
      expect(settings.agent.value).toBe(agent);
    },
  );
});
