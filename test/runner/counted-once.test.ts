import { expect, it, onTestFinished } from 'vitest';
import type { EventLog } from '../../src/events/log/event-log.ts';
import { OutcomeUnknownError } from '../../src/events/log/outcome-unknown.ts';
import { openLogFile } from '../../src/workflow/project/project-log.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import { opened, saidSprint, turn } from '../helpers/said-sprint.ts';
import { eventsOf, startRun } from '../helpers/sprint-run.ts';

/** So often the log itself appends the same events again before it gives up. */
const OWN_TRIES = 5;

const unknown = () =>
  new OutcomeUnknownError('Cannot append: nobody knows what became of it', {
    code: 'LOG_POISONED',
    fix: 'Append the same events again',
    recovery: 'retry',
  });

/** A log that stores the first append with what an agent used, and cannot say so for a while. */
function silentAboutUsage(log: EventLog): EventLog {
  let tries = 0;
  const isSilent = () => tries > 0 && tries <= OWN_TRIES;
  return {
    ...log,
    async append(stream, events, options) {
      const isUsage = events.some(({ type }) => type === 'agent.usage');
      if (isUsage) tries += 1;
      if (!isUsage || !isSilent()) return log.append(stream, events, options);
      if (tries === 1) await log.append(stream, events, options);
      throw unknown();
    },
    async *select(selection) {
      if (isSilent()) throw unknown();
      yield* log.select(selection);
    },
  };
}

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
      openLog: async (place) => silentAboutUsage(await openLogFile(place)),
    });
    onTestFinished(() => project.close());
    expect(await startRun(root, { project }).ended).toMatchObject({ outcome: 'completed' });
    const types = (await eventsOf(project)).map(({ type }) => type);
    expect(types.filter((type) => type === 'agent.usage')).toHaveLength(1);
    expect(types.filter((type) => type === 'agent.exited')).toHaveLength(1);
    expect(project.state.streams.get('demo')?.usage).toMatchObject({ input: 90, output: 20 });
  },
);
