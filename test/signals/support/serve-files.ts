import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { serveSignals } from '../../../src/signals/serve-signals.ts';
import type { RequestKind } from '../../../src/events/descriptors/help-events.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { dismissRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import type { Question } from '../../../src/workflow/requests/ask.ts';
import { openTestProject, tempRoot } from '../../helpers/temp-project.ts';

const PATIENCE = { timeout: 15_000, interval: 10 };

/** The files of a project and somebody who serves them. */
export type ServedFiles = {
  readonly root: string;
  readonly project: Project;
  /** What was reported. */
  readonly reported: readonly string[];
  readonly stop: () => Promise<void>;
  /** Serves again, after a stop. */
  readonly start: () => void;
};

/** Serves the files of a project in this process, until the test is finished. `env`: whose secrets the log leaves out. */
export async function serveFiles(root?: string, env: Record<string, string> = {}): Promise<ServedFiles> {
  const folder = root ?? (await tempRoot());
  const project = await openTestProject(folder, env);
  const reported: string[] = [];
  let serving = serveIn(project, reported);
  onTestFinished(() => serving.stop());
  return {
    root: folder,
    project,
    reported,
    stop: () => serving.stop(),
    start: () => {
      serving = serveIn(project, reported);
    },
  };
}

function serveIn(project: Project, reported: string[]) {
  return serveSignals({
    root: project.root,
    env: {},
    project: async () => project.as('/clifford/signals'),
    report: (problem) => reported.push(String(problem)),
  });
}

/** Files of a project by their names relative to its root. */
export function filesIn(root: string) {
  const at = (name: string) => join(root, name);
  return {
    at,
    has: (name: string) => existsSync(at(name)),
    /** Writes a file in one go, text or JSON. */
    write: async (name: string, content: unknown) => {
      await mkdir(dirname(at(name)), { recursive: true });
      await writeFile(at(name), typeof content === 'string' ? content : JSON.stringify(content));
    },
    read: (name: string): Record<string, unknown> => JSON.parse(readFileSync(at(name), 'utf8')),
    /** Waits until a file is there, and returns what it says. */
    appears: (name: string) =>
      vi.waitFor((): Record<string, unknown> => JSON.parse(readFileSync(at(name), 'utf8')), PATIENCE),
    vanishes: (name: string) => vi.waitFor(() => expect(existsSync(at(name)), name).toBe(false), PATIENCE),
    /** Names in a folder, none when it is not there. */
    /** What is in a folder, without what keeps it out of git. */
    names: async (name: string) =>
      existsSync(at(name)) ? (await readdir(at(name))).filter((each) => each !== '.gitignore').sort() : [],
    /** Waits until so many files were moved aside, and returns their reasons by file. */
    rejected: (count = 1) =>
      vi.waitFor(() => {
        const folder = at('.clifford/rejected');
        const names = existsSync(folder) ? readdirSync(folder).sort() : [];
        const reasons = names.filter((each) => each.endsWith('.reason.txt'));
        expect(reasons).toHaveLength(count);
        return reasons.map((each) => readFileSync(join(folder, each), 'utf8'));
      }, PATIENCE),
  };
}

/** The names of the question files, once there are so many. */
export async function questionFiles(root: string, count: number, at = '.agent-questions'): Promise<string[]> {
  const files = filesIn(root);
  await expect.poll(() => files.names(at), { timeout: 15_000 }).toHaveLength(count);
  return files.names(at);
}

let rounds = 0;

/**
 * Waits until the server has gone through all files at least once since now: a question that is asked
 * now is shown at the end of one round, and taken away in a later one.
 */
export async function aRoundPasses(project: Project, root: string, at = '.agent-questions'): Promise<void> {
  const files = filesIn(root);
  const before = await files.names(at);
  const { id } = await askOf(project, 'clarification', `Has round ${(rounds += 1)} passed?`);
  const shown = await vi.waitFor(async () => {
    const [name] = (await files.names(at)).filter((each) => !before.includes(each));
    if (name === undefined) throw new Error('the question is not shown');
    return name;
  }, PATIENCE);
  await dismissRequest(project, id, { by: 'the test', via: 'api' });
  await files.vanishes(`${at}/${shown}`);
}

/** A question of an agent, of a kind. */
export function askOf(
  project: Project,
  kind: RequestKind,
  question: string,
  more: Partial<Question> & { stream?: string } = {},
): Promise<RequestState> {
  return ask(project, { stream: 'adhoc', agent: { id: `agent of ${question}` }, kind, question, ...more });
}

/** Waits until a request is closed. */
export function closed(project: Project, id: string): Promise<RequestState> {
  return project.until((state) => {
    const request = state.streams
      .loaded()
      .flatMap(({ requests }) => [...requests.values()])
      .find((each) => each.id === id);
    return request && request.phase !== 'open' ? request : undefined;
  });
}
