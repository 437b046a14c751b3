import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { RequestState } from '../../src/machines/project-state.ts';
import { CliffordMcpServer } from '../../src/mcp/server/clifford-mcp-server.ts';
import { clifford, cliFile } from '../helpers/clifford-process.ts';
import { propertyRuns } from '../helpers/property-runs.ts';
import { openPty } from '../helpers/pty-screen.ts';
import type { PtyScreen } from '../helpers/pty-screen.ts';
import { seededRandom } from '../helpers/random.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { textOf } from '../mcp/support/connect-agent.ts';
import { startServer } from '../mcp/support/mcp-process.ts';
import { eventsOf, untilOpen } from '../mcp/support/project-log.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { logEnv } from '../helpers/log-env.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };

/** Answers through a face. `won`, `told`: what the face learns; a file learns it later. */
type Face = (
  request: RequestState,
  text: string,
) => Promise<{ readonly won: boolean | 'unknown'; readonly told: string }>;

/** The faces of a project, each as a human or a program next to it would use it. */
async function openFaces(root: string) {
  const idle = { start: async () => {}, send: async () => {}, close: async () => {} };
  const server = new CliffordMcpServer({ projectRoot: root, transport: idle, env: logEnv(), by: 'api' });
  await server.start();
  onTestFinished(() => server.stop());

  const cli: Face = async ({ id }, text) => {
    const { code, err } = await clifford(['answer', id, text], { cwd: root });
    return { won: code === 0, told: err };
  };
  const api: Face = async ({ id }, text) => {
    const outcome = await server.answer(id, text);
    return { won: outcome.accepted, told: JSON.stringify(outcome) };
  };
  const responsePath = join(root, '.clifford/mcp-response.json');
  let responses = Promise.resolve();
  const response: Face = async ({ id }, text) => {
    // There is room for one at a time.
    responses = responses.then(async () => {
      await vi.waitFor(() => expect(existsSync(responsePath)).toBe(false), PATIENCE);
      await writeFile(responsePath, JSON.stringify({ response: text, requestId: id }));
      await vi.waitFor(() => expect(existsSync(responsePath)).toBe(false), PATIENCE);
    });
    await responses;
    return { won: 'unknown', told: '' };
  };
  const questions = join(root, '.agent-questions');
  const shown = new Map<string, string>();
  /**
   * Waits until the question is shown as a file, and returns the file's id. Looks again when a file that
   * was listed has gone: its question was answered. What was shown once is known, whoever answers it.
   */
  const isShown = async ({ id }: RequestState) => {
    const name = shown.get(id) ?? (await vi.waitFor(() => questionFileOf(questions, id), PATIENCE));
    shown.set(id, name);
    return name;
  };
  const answerFile: Face = async (request, text) => {
    const name = await isShown(request);
    await writeFile(
      join(questions, `${name}_answer.json`),
      JSON.stringify({ id: name, answer: text, timestamp: Date.now() }),
    );
    return { won: 'unknown', told: '' };
  };
  return { cli, api, response, answerFile, isShown };
}

async function questionFileOf(folder: string, requestId: string): Promise<string> {
  for (const name of await readdir(folder)) {
    if (!/^q\d+_\d+\.json$/.test(name)) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (text.includes(requestId)) return name.replace('.json', '');
  }
  throw new Error(`no question file shows ${requestId}`);
}

/** An agent with a server of its own, which asks four questions at once. */
async function startAgent(root: string, task: string) {
  const server = startServer(root, { env: { CURRENT_SPRINT_DIR: 'sprints/demo' } });
  const { call } = await server.connect();
  const questions = [1, 2, 3, 4].map((n) => `${task}${n}: which one?`);
  const answers = questions.map(async (question, n) => {
    const result =
      n < 2
        ? await call('request_help', { task, reason: 'several would do', question })
        : await call('ask_clarification', { question });
    return [question, textOf(result)] as const;
  });
  return { server, questions, answers };
}

/** The screen of the sprint in a terminal, with the cursor in the answer box. */
async function openScreen(root: string): Promise<PtyScreen> {
  const screen = openPty(
    '/usr/bin/env',
    ['-u', 'CI', 'USER=ada', process.execPath, cliFile, 'attach', 'demo'],
    {
      cwd: root,
      columns: 120,
      rows: 40,
    },
  );
  onTestFinished(async () => {
    screen.kill();
    await screen.exited;
  });
  await screen.see('Enter answer');
  return screen;
}

const answerTo = (question: string) => `the answer to ${question.slice(0, 2)}`;

describeOnEachEngine('two agents', () => {
  it.each(Array.from({ length: propertyRuns(3) }, () => randomInt(2 ** 31)))(
    'two agents with four questions each get every answer to its own question, seed %i',
    async (seed) => {
      const random = seededRandom(seed);
      const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
      const agents = await Promise.all(['a', 'b'].map((task) => startAgent(root, task)));
      const open = await untilOpen(project, 8);
      const faces = await openFaces(root);
      const screen = await openScreen(root);
      const shown = open.find(({ asked }) => screen.lines().join('\n').includes(asked.question));
      expect(shown).toBeDefined();

      const inRandomOrder = open
        .filter((request) => request !== shown)
        .map((request) => ({ request, at: random() }))
        .sort((one, other) => one.at - other.at)
        .map(({ request }) => request);
      const used = new Set<string>();
      const onScreen = async () => {
        const answer = answerTo(shown?.asked.question ?? '');
        screen.press(answer);
        await screen.see(`> ${answer}`);
        screen.press('\r');
      };
      const elsewhere = inRandomOrder.map(async (request, n) => {
        const isClarification = request.asked.kind === 'clarification';
        const name =
          (['cli', 'api', 'response', isClarification ? 'answerFile' : 'response'] as const)[n % 4] ?? 'cli';
        used.add(name);
        if (name === 'answerFile') await faces.isShown(request);
        await faces[name](request, answerTo(request.asked.question));
      });
      await Promise.all([onScreen(), ...elsewhere]);

      const answers = await Promise.all(agents.flatMap((agent) => agent.answers));
      for (const [question, text] of answers) expect(text, question).toBe(answerTo(question));
      expect(answers).toHaveLength(8);
      expect(used.size).toBeGreaterThanOrEqual(3);
      expect(await eventsOf(project, 'help.requested')).toHaveLength(8);
      expect(await eventsOf(project, 'help.answered')).toHaveLength(8);
      expect(await eventsOf(project, 'signal.rejected')).toEqual([]);
      await Promise.all(agents.map(({ server }) => server.exitAfter(() => server.child.stdin.end())));
    },
    120_000,
  );
});

describeOnEachEngine('four faces', () => {
  it('of four faces that answer one question at once exactly one wins, and the others are told', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a', 'b'] });
    const server = startServer(root, { env: { CURRENT_SPRINT_DIR: 'sprints/demo' } });
    const { call } = await server.connect();
    const faces = await openFaces(root);
    const rounds = 6;
    let lostFiles = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const answer = call('ask_clarification', { question: `Which one, in round ${round}?` });
      const [request] = await untilOpen(project);
      if (!request) throw new Error('nothing was asked');
      await faces.isShown(request);
      // The face that has the longest way goes first.
      const outcomes = await Promise.all([
        faces.cli(request, 'from cli'),
        faces.answerFile(request, 'from answerFile'),
        faces.api(request, 'from api'),
        faces.response(request, 'from response'),
      ]);
      const text = textOf(await answer);
      expect(text).toMatch(/^from (cli|api|response|answerFile)$/);
      const losers = outcomes.filter(({ won }) => won === false);
      for (const { told } of losers)
        expect(told).toMatch(/answered it through (api|file|cli)|"because":"answered"/);
      const winners = outcomes.filter(({ won }) => won === true);
      const isFile = text === 'from response' || text === 'from answerFile';
      expect(winners).toHaveLength(isFile ? 0 : 1);
      lostFiles += isFile ? 1 : 2;
      const expected = lostFiles;
      await vi.waitFor(async () => {
        await project.refresh();
        expect(await eventsOf(project, 'signal.rejected')).toHaveLength(expected);
      }, PATIENCE);
    }
    for (const { data } of await eventsOf(project, 'signal.rejected')) {
      expect(data.reason).toMatch(/^request q-\S+ is closed: .+ answered it through .+: from /);
    }
    expect(await eventsOf(project, 'help.answered')).toHaveLength(rounds);
    await server.exitAfter(() => server.child.stdin.end());
  }, 120_000);
});
