import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EventType } from '../../src/events/catalog.ts';
import { streamOf } from '../../src/events/envelope.ts';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { nameOf } from '../../src/machines/status-words.ts';
import { SprintRunner } from '../../src/runner/sprint/sprint-runner.ts';
import type { SprintRunnerOptions } from '../../src/runner/sprint/sprint-runner.ts';
import type { RunEnd } from '../../src/runner/sprint/run-end.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { fixtureProgram } from './fixture-program.ts';
import { openTestProject, tempRoot, writeSprint } from './temp-project.ts';

/** The command line of an agent program of the tests. */
export function agentCmd(name: string, ...args: readonly string[]): string {
  return [process.execPath, fixtureProgram(`agents/${name}.ts`), ...args]
    .map((word) => `"${word}"`)
    .join(' ');
}

/** A project with a sprint that no log knows yet, seen by a human: another handle than the runner's. */
export async function freshSprint(
  sprint: Parameters<typeof writeSprint>[1] = {},
): Promise<{ root: string; dir: string; stateDir: string; project: Project }> {
  const root = await tempRoot();
  const dir = await writeSprint(root, { tasks: ['a'], ...sprint });
  return { root, dir, stateDir: join(root, '.clifford'), project: await openTestProject(root) };
}

/** A run under way. What the agents printed is collected; the runner is stopped when the test is finished. */
export type SprintRun = {
  readonly runner: SprintRunner;
  readonly ended: Promise<RunEnd>;
  readonly text: () => string;
  /** Waits until the agents have printed this, and returns the match. */
  readonly printed: (what: RegExp) => Promise<RegExpExecArray>;
};

/** Runs the sprint of a project, in this process, with short delays. */
export function startRun(root: string, options: Partial<SprintRunnerOptions>): SprintRun {
  const runner = new SprintRunner({
    mcpStateDir: join(root, '.clifford'),
    retryDelayMs: 10,
    // What it runs is the test's own: nothing of it is remembered in the folder that all tests share.
    agreed: {},
    ...options,
  });
  onTestFinished(() => runner.stop());
  let text = '';
  runner.on('output', (chunk) => {
    text += chunk.text;
  });
  const printed = (what: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const match = what.exec(text);
        if (match) resolve(match);
      };
      runner.on('output', look);
      look();
    });
  return { runner, ended: runner.run(), text: () => text, printed };
}

/** Waits until a task is in this state, e.g. `blocked.question`. */
export function taskBecomes(project: Project, state: string, task = 'a', stream = 'demo'): Promise<true> {
  return project.until((all) => {
    const machine = all.streams.get(stream)?.tasks.get(task)?.machine;
    return machine && nameOf(machine.value) === state ? true : undefined;
  });
}

/** Waits until the agent of task `a` is gone, as the runner has recorded, and its question is open. */
export function leftOpen(project: Project): Promise<true> {
  return project.until((state) => {
    const machine = state.streams.get('demo')?.tasks.get('a')?.machine;
    const isLeft = machine && machine.context.open.length > 0 && machine.context.runId === null;
    return isLeft ? true : undefined;
  });
}

/** The history of a stream. */
export async function eventsOf(project: Project, stream = 'demo'): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const batch of project.log.read({ stream })) events.push(...batch.events);
  return events;
}

/** The types of its events in order. */
export async function typesOf(project: Project, stream = 'demo'): Promise<string[]> {
  return (await eventsOf(project, stream)).map(({ type }) => type);
}

/** Waits until the stream has an event of this type. */
export async function recorded(project: Project, type: EventType, stream = 'demo'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = project.subscribe((events) => {
    if (events.some((event) => event.type === type && streamOf(event.subject) === stream)) resolve();
  });
  if ((await typesOf(project, stream)).includes(type)) resolve();
  await promise;
  unsubscribe();
}
