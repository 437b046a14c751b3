import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventType } from '../../src/events/catalog.ts';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { fakePrograms } from '../helpers/fake-programs.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { agentCmd, eventsOf, freshSprint, startRun } from '../helpers/sprint-run.ts';

const recordings = join(import.meta.dirname, '../fixtures/agent-output');
const play = (recording: string, ...more: string[]) =>
  agentCmd('play-recording', join(recordings, `${recording}.jsonl`), '--mcp', '{mcpConfig}', ...more);

/** A sprint for an agent of a command line, in a project whose configuration names it. */
async function sprintFor(agent: object) {
  const project = await freshSprint();
  await writeConfig(join(project.root, 'clifford.json'), { agent: 'own', agents: { own: agent } });
  return project;
}

function dataOf<T extends EventType>(events: readonly StoredEvent[], type: T) {
  return events.filter((event) => event.type === type).map(({ data }) => data);
}

const player = fixtureProgram('agents/play-recording.ts');

/** A stand-in for Copilot: says its session only when it ends, and what that used in a file. */
const copilot = `
while [ $# -gt 0 ]; do
  case "$1" in
    --additional-mcp-config) mcp="\${2#@}" ;;
    --usage-output-file) usage="$2" ;;
    --session-id) session="$2" ;;
  esac
  shift
done
echo '{"modelMetrics":{"m":{"usage":{"inputTokens":700,"outputTokens":30}}}}' > "$usage"
exec "${process.execPath}" "${player}" "${recordings}/copilot-1.0.102/completed.jsonl" --mcp "$mcp" --session "$session"`;

describe('an agent CLI that is told which session to open', () => {
  it('has it in the log once, before it says so itself, and what it used from its file', async () => {
    const { root, project } = await freshSprint();
    const bin = await fakePrograms({ copilot });
    await writeConfig(join(root, 'clifford.json'), {
      agent: 'copilot',
      agents: { copilot: { path: join(bin, 'copilot'), via: 'cli' } },
    });
    expect(await startRun(root, {}).ended).toMatchObject({ outcome: 'completed' });
    const events = await eventsOf(project);
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'agent.sessionopened')).toHaveLength(1);
    expect(types.indexOf('agent.sessionopened')).toBe(types.indexOf('agent.started') + 1);
    const [started] = events.filter((event) => event.type === 'agent.started');
    const sessionId = started?.data.runId.replace('run-', '');
    expect(dataOf(events, 'agent.sessionopened')).toMatchObject([{ sessionId }]);
    expect(dataOf(events, 'agent.usage')).toMatchObject([{ tokens: { input: 700, output: 30, cached: 0 } }]);
  });
});

describe('a command line that prints what a known agent CLI prints', () => {
  it.each([
    ['opencode', 'opencode-1.18.33', '▸ bash cat hello.txt\n', { input: 5_400, output: 320 }],
    ['claude', 'claude-2.1.330', '▸ Bash cat hello.txt\n', { input: 8_200, output: 420 }],
    ['codex', 'codex-0.169.0', '▸ shell cat hello.txt\n', { input: 5_400, output: 320 }],
    ['gemini', 'gemini-0.61.0', '▸ run_shell_command cat hello.txt\n', { input: 5_400, output: 320 }],
    ['copilot', 'copilot-1.0.102', '▸ bash cat hello.txt\n', { input: 0, output: 0 }],
  ])('is read like %s', async (output, folder, shown, used) => {
    const { root, project } = await sprintFor({ command: play(`${folder}/completed`), output });
    const { ended, text } = startRun(root, {});
    expect(await ended).toEqual({ outcome: 'completed', reason: 'all tasks are done' });

    expect(text()).toContain('I look at the sprint first.\n▸ ');
    expect(text()).toContain(shown);
    expect(text()).toMatch(/The task is done: hello\.txt greets Ada\.\n$/);
    const events = await eventsOf(project);
    expect(dataOf(events, 'agent.started')).toMatchObject([{ agent: 'own', adapter: 'command' }]);
    expect(dataOf(events, 'agent.connected')).toMatchObject([{ client: { name: 'recorded-agent' } }]);
    expect(dataOf(events, 'agent.sessionopened')).toMatchObject([
      { sessionId: expect.stringMatching(/^[\w-]{20,}$/) },
    ]);
    // Claude Code had to look for its tools first. Copilot tells it in a file, for which it has to be asked.
    const state = await project.refresh();
    expect(state.streams.get('demo')?.usage).toMatchObject(used);
  });

  it('goes on with its session after an interruption, and counts what it used once', async () => {
    const folder = 'codex-0.169.0';
    const { root, project } = await sprintFor({
      command: play(`${folder}/text-only`, '--stay'),
      resume: play(`${folder}/resumed`, '--session={session}'),
      output: 'codex',
    });
    const first = startRun(root, {});
    await first.printed(/Which file do you mean/);
    await project.until((state) => state.streams.get('demo')?.usage.output || undefined);
    await first.runner.stop();
    await first.ended;

    expect(await startRun(root, {}).ended).toMatchObject({ outcome: 'completed' });
    const events = await eventsOf(project);
    const [opened, again] = dataOf(events, 'agent.sessionopened');
    expect(again).toMatchObject({ sessionId: opened && 'sessionId' in opened ? opened.sessionId : '' });
    const [, resumed] = dataOf(events, 'agent.started');
    expect(resumed).toMatchObject(opened && 'sessionId' in opened ? { sessionId: opened.sessionId } : {});
    // The second run says 4000 and 200 for the whole session.
    expect(dataOf(events, 'agent.usage')).toMatchObject([
      { tokens: { input: 1_000, output: 50 } },
      { tokens: { input: 3_000, output: 150 } },
    ]);
  });
});
