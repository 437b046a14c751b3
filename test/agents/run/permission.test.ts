import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { taskBecomes } from '../../helpers/sprint-run.ts';
import { ways } from '../harness/agent-clis.ts';
import type { AgentCli } from '../harness/agent-cli.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';

/** A command that leaves a file. */
const leaves = (name: string) => `touch ${name}`;

/** Refuses what is written beside the project, with whatever tool. */
const nothingOutside = [
  { path: { glob: '*outside.txt' }, decision: 'deny', reason: 'stay in the project' },
  { command: { glob: '*outside.txt*' }, decision: 'deny', reason: 'stay in the project' },
];

/** Gemini CLI's tool for files takes none outside of the project, and asks nobody. */
function refusesItself({ name }: AgentCli): boolean {
  return name === 'gemini';
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

describe.each(ways.filter(({ via }) => via === 'acp'))('clifford run with $name ($via)', ({ agent, via }) => {
  it('runs a command once a human has allowed it, not one that was denied, and no edit that the policy refuses', async () => {
    const { project, log, model, run, clifford, events } = await agentSprint({
      agent,
      via,
      asks: true,
      script: ({ project: root, sprintDir }) => [
        { write: { path: join(dirname(root), 'outside.txt'), text: 'x' } },
        { shell: leaves('allowed') },
        { shell: leaves('refused') },
        { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
        { text: 'Done.' },
      ],
    });
    await writeMcpJson(project, { policy: { agents: { rules: nothingOutside } } });
    const running = run();
    const asked = (command: string) =>
      log.until((state) =>
        openRequests(state).find(({ asked: { approval } }) =>
          JSON.stringify(approval?.args).includes(command),
        ),
      );
    await running.until(taskBecomes(log, 'blocked.approval', 'form'));
    const allowed = await running.until(asked('touch allowed'));
    expect(await clifford('approve', allowed.id).ended).toMatchObject({ code: 0 });
    const refused = await running.until(asked('touch refused'));
    expect(await exists(join(project, 'allowed'))).toBe(true);
    expect(await clifford('deny', refused.id, '--reason', 'no such file here').ended).toMatchObject({
      code: 0,
    });
    const { code, out, err } = await running.ended;

    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    expect(await exists(join(project, 'refused'))).toBe(false);
    expect(await exists(join(dirname(project), 'outside.txt'))).toBe(false);
    const all = await events();
    expect(all.filter(isA('help.requested'))).toHaveLength(2);
    const recorded = all.filter(isA('tool.requested')).map(({ data }) => data);
    expect(recorded).toHaveLength(new Set(recorded.map(({ callId }) => callId)).size);
    const isCommand = ({ title, args }: object & { title?: string | undefined; args: unknown }) =>
      JSON.stringify([title, args]).includes(leaves('allowed'));
    expect(recorded.filter(isCommand)).toHaveLength(1);
    const refusedBy = all.filter(isA('tool.denied')).map(({ data }) => data.rule?.slice(0, -'[0]'.length));
    expect(refusedBy).toEqual([...(refusesItself(agent) ? [] : ['agents.rules']), undefined]);
    expect(all.filter(isA('tool.allowed')).map(({ data }) => data.by)).toEqual([expect.any(String)]);
    // What it was allowed it does not report as another call.
    const unasked = all.filter(isA('tool.unasked')).map(({ data }) => data.about);
    expect(unasked.filter((about) => about.includes('touch allowed'))).toEqual([]);
    expect(JSON.stringify(model.conversation())).toContain('no such file here');
    expect(await clifford('replay', '--verify').ended).toMatchObject({ code: 0 });
    expect(await processesOf(project, '')).toEqual([]);
  });
});

describe.each(ways.filter(({ via }) => via === 'acp'))('clifford run with $name ($via)', ({ agent, via }) => {
  it('is told which command to run instead of one that a human has changed, and runs it unasked', async () => {
    const { project, log, model, run, clifford, events } = await agentSprint({
      agent,
      via,
      asks: true,
      script: ({ sprintDir }) => [
        { shell: leaves('asked') },
        { shell: leaves('asked') },
        { shell: leaves('changed') },
        { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
        { text: 'Done.' },
      ],
    });
    const running = run();
    await running.until(taskBecomes(log, 'blocked.approval', 'form'));
    const first = await running.until(log.until((state) => openRequests(state).at(0)));
    const { server = '', tool = '' } = first.asked.approval ?? {};
    expect(await clifford('explain', first.id, 'What for?').ended).toMatchObject({ code: 0 });
    const next = await running.until(
      log.until((state) => openRequests(state).find(({ id }) => id !== first.id)),
    );
    expect(next.asked.approval).toMatchObject({ server, tool, explanation: { question: 'What for?' } });
    const args = JSON.stringify(next.asked.approval?.args).replaceAll('touch asked', 'touch changed');
    // Gemini CLI says its command as the title of the call alone.
    const changed = agent.name === 'gemini' ? ['--command', 'touch changed'] : ['--args', args];
    expect(await clifford('approve', next.id, ...changed).ended).toMatchObject({ code: 0 });
    const { code, out, err } = await running.ended;

    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    expect(await exists(join(project, 'asked'))).toBe(false);
    expect(await exists(join(project, 'changed'))).toBe(true);
    const all = await events();
    expect(all.filter(isA('help.requested'))).toHaveLength(2);
    expect(all.filter(isA('tool.allowed')).map(({ data }) => data.requestId)).toEqual([next.id]);
    const heard = JSON.stringify(model.conversation());
    expect(heard).toContain('What for?');
    expect(heard).toContain('make the same call with exactly these arguments');
  });
});

describe.each(ways.filter(({ name, via }) => name === 'claude' && via === 'acp'))(
  'clifford run with $name ($via)',
  ({ agent, via }) => {
    it('is asked whatever the settings of the project allow', async () => {
      const { project, log, run, clifford } = await agentSprint({
        agent,
        via,
        asks: true,
        script: ({ sprintDir }) => [
          { shell: leaves('refused') },
          { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
          { text: 'Done.' },
        ],
      });
      const permissions = { allow: ['Bash', 'Bash(touch:*)'], defaultMode: 'bypassPermissions' };
      await mkdir(join(project, '.claude'));
      await writeFile(join(project, '.claude/settings.json'), JSON.stringify({ permissions }));
      const running = run();
      await running.until(taskBecomes(log, 'blocked.approval', 'form'));
      expect(await clifford('deny', 'last').ended).toMatchObject({ code: 0 });
      const { code, out, err } = await running.ended;
      expect(code, `${out}${err}`).toBe(0);
      expect(await exists(join(project, 'refused'))).toBe(false);
    });
  },
);
