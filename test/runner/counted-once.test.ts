import { expect, it, onTestFinished } from 'vitest';
import { openLogFile } from '../../src/workflow/project/project-log.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import { opened, saidSprint, turn } from '../helpers/said-sprint.ts';
import { silentAbout } from '../helpers/silent-log.ts';
import { eventsOf, startRun } from '../helpers/sprint-run.ts';

it.each([
  ['while it works', [opened('thread-1'), turn(90, 20), '!complete']],
  ['with its last words', [opened('thread-1'), '!complete', turn(90, 20)]],
])(
  'what an agent used, as it says %s, is counted once, although the log could not say that it has it',
  async (_when, says) => {
    const { root } = await saidSprint({ 'main-1': says });
    const project = await openProject({
      root,
      source: '/clifford/runner',
      env: {},
      openLog: async (place) => silentAbout('agent.usage', await openLogFile(place)),
    });
    onTestFinished(() => project.close());
    expect(await startRun(root, { project }).ended).toMatchObject({ outcome: 'completed' });
    const types = (await eventsOf(project)).map(({ type }) => type);
    expect(types.filter((type) => type === 'agent.usage')).toHaveLength(1);
    expect(types.filter((type) => type === 'agent.exited')).toHaveLength(1);
    expect(project.state.streams.get('demo')?.usage).toMatchObject({ input: 90, output: 20 });
  },
);
