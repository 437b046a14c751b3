import { onTestFinished } from 'vitest';
import type { EventData } from '../../../../src/events/catalog.ts';
import { callPeople } from '../../../../src/notify/remote/call-people.ts';
import type { Timing } from '../../../../src/notify/remote/timing.ts';
import { openRemotes } from '../../../../src/notify/remote/open-channels.ts';
import { trustChannels } from '../../../../src/notify/remote/trust-channels.ts';
import type { EventLog } from '../../../../src/events/log/event-log.ts';
import { openLogFile } from '../../../../src/workflow/project/project-log.ts';
import { readConfig } from '../../../../src/workflow/config/load-config.ts';
import { openProject, type Project } from '../../../../src/workflow/project/project.ts';
import { answerRequest } from '../../../../src/workflow/requests/answer.ts';
import { writeConfig } from '../../../helpers/config-files.ts';
import { eventsOf } from '../../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../../helpers/temp-project.ts';
import { join } from 'node:path';

/** As in life, and a hundred times as fast. */
const fast = { gatherMs: 10, pauseMs: 10, firstRetryMs: 40, recordMs: 50, turnMs: 20 };

type Order = {
  /** What `notify` says. */
  readonly notify: object;
  /** Where the variables of secrets are. */
  readonly env?: Record<string, string>;
  /** Whether a person has trusted the channels. */
  readonly isTrusted?: boolean;
};

type Beginning = {
  readonly linkTo?: () => string;
  /** Variables that it does not have. */
  readonly without?: readonly string[];
  /** What the configuration says since. */
  readonly notify?: object;
  readonly timing?: Partial<Timing>;
  /** The project as this process has it. */
  readonly as?: (own: Project) => Project;
  /** The log as this process has it. */
  readonly logAs?: (log: EventLog) => EventLog;
};

/** A project with a running sprint whose configuration calls people. They are called when `begin` is. */
export async function calledProject({ notify, env: more = {}, isTrusted = true }: Order) {
  const { root, project, stream } = await projectWithSprint();
  await writeConfig(join(root, 'clifford.json'), { notify });
  const env = { HOME: join(root, 'home'), ...more };
  const place = { root, env };
  const trusted = async () => {
    const reading = await readConfig(place);
    if (isTrusted) await trustChannels(place, reading, Object.keys(reading.config.notify.channels));
    return reading;
  };
  const reading = await trusted();
  await project.dispatch(stream, () => [
    { type: 'sprint.started', subject: stream, data: { runner: 'r', maxAttempts: 1 } },
    { type: 'task.started', subject: `${stream}/a`, data: { attempt: 1, by: 'runner', runId: 'run-1' } },
  ]);
  const problems: string[] = [];
  const opened = await openRemotes(place, reading);

  /** The same channels with what somebody has written into the configuration since. */
  const changed = async (written: object) => {
    await writeConfig(join(root, 'clifford.json'), { notify: written });
    return openRemotes(place, await trusted());
  };
  /** Another process that has the project open, as far as it matters here. */
  const begin = async ({
    without = [],
    as = (own) => own,
    logAs = (log) => log,
    notify: since,
    timing = {},
    ...options
  }: Beginning = {}) => {
    const ownEnv = Object.fromEntries(Object.entries(env).filter(([name]) => !without.includes(name)));
    const isSame = without.length === 0;
    const ways = since
      ? await changed(since)
      : isSame
        ? opened
        : await openRemotes({ root, env: ownEnv }, reading);
    const remotes = ways.flatMap(({ way }) => ('off' in way ? [] : [way]));
    const own = await openProject({
      root,
      source: '/clifford/cli',
      env,
      openLog: async (file) => logAs(await openLogFile(file)),
    });
    const calling = callPeople({
      project: as(own),
      env,
      remotes,
      report: (problem) => void problems.push(problem),
      timing: { ...fast, ...timing },
      ...options,
    });
    let isOver = false;
    const end = async () => {
      if (isOver) return;
      isOver = true;
      await calling.stop();
      await own.close();
    };
    onTestFinished(end);
    return { end };
  };
  /** Several are asked with one append: whoever is told of one is told of all. */
  const asks = (ids: string | readonly string[], data: Partial<EventData<'help.requested'>> = {}) =>
    project.dispatch(stream, () =>
      [ids].flat().map((requestId) => ({
        type: 'help.requested',
        subject: `${stream}/a`,
        data: { requestId, kind: 'help', question: 'Which database?', origin: { agent: 'run-1' }, ...data },
      })),
    );
  return { root, env, project, stream, problems, opened, begin, asks };
}

/** What the log says of one type, and who recorded it. */
export async function logged(
  project: Project,
  type: 'notify.sent' | 'notify.settled' | 'notify.failed' | 'notify.refused' | 'help.answered',
): Promise<object[]> {
  const events = await eventsOf(project);
  return events.flatMap((event) => (event.type === type ? [{ source: event.source, ...event.data }] : []));
}

/** A human answers in a shell. */
export function answersInShell(project: Project, id: string, response: string) {
  return answerRequest(project, id, { response, by: 'bob', via: 'cli' });
}
