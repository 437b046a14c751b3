import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { recorded, taskBecomes } from '../../helpers/sprint-run.ts';
import { agentClis } from '../harness/agent-clis.ts';
import type { AgentCli } from '../harness/agent-cli.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';
import { cliffordMcp, runByHand } from '../harness/run-by-hand.ts';
import type { ModelServerOptions } from '../../../src/runner/scripted-model/model-server.ts';

const question = { task: 'form', reason: 'Two are free.', question: 'Which port?' };

const script = ({ sprintDir }: { sprintDir: string }): ModelServerOptions['script'] => [
  { tool: 'request_help', args: question },
  { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
  { text: 'Done.' },
];

/** Neither progress nor an answer in time is to save a call that reaches the limit of its client. */
const silent = { CLIFFORD_PROGRESS_MS: '86400000', CLIFFORD_WAIT_LIMIT_MS: '0' };

/** A question to an agent whose user has registered the server, with a limit for its calls. */
type Wait = { readonly agent: AgentCli; readonly callLimitMs?: number; readonly forMs: number };

describe.each(agentClis)('a question to which $name’s own limit is too short', (agent) => {
  it('is cut off by hand, and waits in one call under clifford run', async () => {
    const wait = { agent, callLimitMs: 3_000, forMs: 10_000 };
    const [cutOff, answered] = await Promise.all([askByHand(wait), askInSprint(wait)]);
    expect(cutOff).toEqual(isCutOff);
    expect(answered).toEqual(isAnswered);
  });
});

const stock: readonly (readonly [AgentCli['name'], number])[] = [
  ['opencode', 75],
  ['claude', 75],
  ['codex', 310],
  ['gemini', 610],
  ['copilot', 195],
];

// Minutes of waiting: only on demand.
describe.runIf(process.env['REAL_LIMITS'] === '1').each(stock)(
  '%s with the limit it comes with',
  (name, seconds) => {
    it(
      `gets an answer after ${seconds} s in one call under clifford run`,
      { timeout: 15 * 60_000 },
      async () => {
        const agent = agentClis.find((each) => each.name === name);
        if (!agent) throw new Error(`there is no ${name}`);
        const wait = { agent, forMs: seconds * 1_000 };
        // Claude Code waits longer by itself.
        const byHand = name === 'claude' ? [] : [askByHand(wait)];
        const [answered, ...cutOff] = await Promise.all([askInSprint(wait), ...byHand]);
        console.log(name, answered, ...cutOff);
        expect(cutOff).toEqual(byHand.map(() => isCutOff));
        expect(answered).toEqual(isAnswered);
      },
    );
  },
);

const isCutOff = {
  asked: 1,
  calls: 1,
  detached: 1,
  reply: expect.stringMatching(/timed? ?out/i),
  afterMs: expect.any(Number),
};

const isAnswered = {
  asked: 1,
  calls: 1,
  detached: 0,
  reply: expect.stringContaining('Use port 8080'),
  afterMs: expect.any(Number),
};

/** The agent asks with the server its user has registered. Nobody answers. */
async function askByHand({ agent, callLimitMs, forMs }: Wait) {
  const place = await agentSprint({ agent, script: () => [{ tool: 'request_help', args: question }] });
  const { home, project, sprintDir, env, log, model } = place;
  await agent.register(home, serverFor(project, sprintDir), callLimitMs);
  const limitMs = forMs + 120_000;
  const end = await runByHand({ agent, place, prompt: 'Ask.', env, mcp: undefined, limitMs });
  expect(model.surprises, `${end.out}${end.err}`).toEqual([]);
  await recorded(log, 'help.detached');
  return outcomeOf(place);
}

/** The agent asks under `clifford run`, and gets the answer after this time. */
async function askInSprint({ agent, callLimitMs, forMs }: Wait) {
  const place = await agentSprint({ agent, script, env: silent });
  const { home, project, sprintDir, log, model, run, answer } = place;
  await agent.register(home, serverFor(project, sprintDir), callLimitMs);
  const running = run();
  await running.until(taskBecomes(log, 'blocked.question', 'form'));
  // The time itself is tried: the agent gives up a call that takes so long.
  await running.until(pause(forMs));
  await answer('Use port 8080');
  const { code, out, err } = await running.ended;
  expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
  return outcomeOf(place);
}

function serverFor(project: string, sprintDir: string) {
  const { env, ...mcp } = cliffordMcp(project, sprintDir);
  return { ...mcp, env: { ...env, ...silent } };
}

async function outcomeOf({ model, events }: Awaited<ReturnType<typeof agentSprint>>) {
  const all = await events();
  const ofCalls = all.filter(isA('tool.requested')).filter(({ data }) => data.tool === 'request_help');
  const [asked] = all.filter(isA('help.requested'));
  const [ended] = all.filter(({ type }) => type === 'help.detached' || type === 'help.delivered');
  return {
    asked: all.filter(isA('help.requested')).length,
    calls: ofCalls.length,
    detached: all.filter(isA('help.detached')).length,
    reply: model.conversation().results.find(({ tool }) => tool.endsWith('request_help'))?.text,
    afterMs: Date.parse(ended?.time ?? '') - Date.parse(asked?.time ?? ''),
  };
}
