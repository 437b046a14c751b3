import { describe, expect, it } from 'vitest';
import { editCall } from '../../../src/gateway/edit/edit-call.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import { approveEdited } from '../../../src/workflow/requests/edited-call.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { textOf } from '../../mcp/support/connect-agent.ts';
import { fixture, gatewayAgent, untilToolsChange } from '../../mcp/support/gateway-agent.ts';
import { published } from '../../mcp/support/gateway-servers.ts';
import { eventsOf, untilAsked, untilLogged, untilOpen } from '../../mcp/support/project-log.ts';

const human = { by: 'ann', via: 'cli' };
const servers = { it: fixture('handy.ts') };
const echo = { words: 'hello' };
const changed = { ...human, args: { words: 'good bye' } };
const denied = {
  policy: { rules: [{ server: 'it', args: { words: { glob: 'good*' } }, decision: 'deny' }] },
};

const edit = (project: Project, request: RequestState, args: Record<string, unknown>) =>
  editCall(project, request, { ...human, edited: { args }, env: { CLIFFORD_TRUST_PROJECT: '1' } });

describe('a call that a human has changed', () => {
  it('runs with what it was changed to, and the agent is told', async () => {
    const { call, project } = await gatewayAgent({ servers });
    const waiting = call('mcp__it__echo', echo);
    const request = await untilAsked(project);
    expect(await edit(project, request, changed.args)).toMatchObject({ accepted: true });
    const { content } = await waiting;
    expect(content).toEqual([
      { type: 'text', text: 'good bye' },
      { type: 'text', text: expect.stringContaining('{"words":"good bye"}') },
    ]);
    const [allowed] = await untilLogged(project, 'tool.allowed');
    expect(allowed?.data).toMatchObject({ by: 'ann', requestId: request.id });
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
    const [answered] = await eventsOf(project, 'help.answered');
    expect(answered?.data).toMatchObject({ verdict: 'edited', edited: { args: changed.args } });
  });

  it('runs so once: the same call again asks again, and so does the changed one', async () => {
    const { call, project } = await gatewayAgent({ servers });
    const first = call('mcp__it__echo', echo);
    await approveEdited(project, (await untilAsked(project)).id, changed);
    await first;
    for (const args of [echo, changed.args]) {
      const again = call('mcp__it__echo', args);
      await deny(project, (await untilAsked(project)).id, human);
      expect((await again).isError).toBe(true);
    }
    expect(await eventsOf(project, 'tool.allowed')).toHaveLength(1);
  });

  it('runs so for the agent that makes it after the one that asked was gone', async () => {
    const first = await gatewayAgent({ servers });
    void first.call('mcp__it__echo', echo).catch(() => undefined);
    const { id } = await untilAsked(first.project);
    await first.server.stop();
    const { project, call } = await gatewayAgent({ servers }, { root: first.root });
    await approveEdited(project, id, changed);
    expect((await call('mcp__it__echo', echo)).content[0]).toEqual({ type: 'text', text: 'good bye' });
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });

  it('is refused where a rule denies what it has become: before it is recorded, and where it is made', async () => {
    const { call, project } = await gatewayAgent({ servers, ...denied });
    const waiting = call('mcp__it__echo', echo);
    const request = await untilAsked(project);
    await expect(edit(project, request, changed.args)).rejects.toMatchObject({ code: 'EDIT_DENIED' });
    expect(requestById(await project.refresh(), request.id)?.phase).toBe('open');
    // As somebody would record it who asks no policy.
    await approveEdited(project, request.id, changed);
    const result = await waiting;
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('rules[0]');
    expect(await eventsOf(project, 'tool.allowed')).toEqual([]);
    expect((await eventsOf(project, 'tool.denied'))[0]?.data.rule).toContain('rules[0]');
  });

  it('is asked about again when the tool was defined anew meanwhile', async () => {
    const { call, text, project, client } = await gatewayAgent({ servers });
    const defined = untilToolsChange(client);
    await client.listTools();
    const waiting = call('mcp__it__echo', echo);
    const { id } = await untilAsked(project);
    const change = text('mcp__it__change', {});
    const [, second] = await untilOpen(project, 2);
    await approve(project, second?.id ?? '', { ...human, scope: 'once' });
    await change;
    await defined;
    await approveEdited(project, id, changed);
    const asked = await untilLogged(project, 'help.requested', 3);
    expect(asked.at(-1)?.data.approval).toMatchObject({ args: echo, change: expect.any(String) });
    await deny(project, asked.at(-1)?.data.requestId ?? '', human);
    expect((await waiting).isError).toBe(true);
  });

  it('does not run with what its tool does not take', async () => {
    const everything = { command: process.execPath, args: [published.everything] };
    const { call, project } = await gatewayAgent({ servers: { all: everything } });
    const waiting = call('mcp__all__echo', { message: 'hello' });
    const request = await untilAsked(project);
    await expect(edit(project, request, { message: 7 })).rejects.toMatchObject({
      code: 'EDIT_INVALID',
      message: expect.stringContaining('message: must be string'),
    });
    expect(requestById(await project.refresh(), request.id)?.phase).toBe('open');
    // As somebody would record it who does not look at the tool.
    await approveEdited(project, request.id, { ...human, args: { message: 7 } });
    expect(textOf(await waiting)).toContain('message: must be string');
    expect(await eventsOf(project, 'tool.allowed')).toEqual([]);
  });
});
