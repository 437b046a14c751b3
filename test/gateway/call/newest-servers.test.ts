import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { textOf } from '../../mcp/support/connect-agent.ts';
import {
  allowAll,
  fixture,
  gatewayAgent,
  listed,
  untilToolsChange,
} from '../../mcp/support/gateway-agent.ts';
import { serveNewest } from '../../mcp/support/newest-server.ts';
import { eventsOf, untilAsked, untilLogged } from '../../mcp/support/project-log.ts';

const human = { by: 'ann', via: 'cli' };

/** What an agent cannot tell from a server of an older revision. */
describe.each(['stdio', 'http'])('a server of the revision 2026-07-28 over %s', (transport) => {
  const serverOf = async () =>
    transport === 'stdio' ? fixture('newest.ts') : { url: (await serveNewest()).url };

  it('is called when a human said yes, and not when they said no', async () => {
    const { text, call, project } = await gatewayAgent({ servers: { it: await serverOf() } });
    const waiting = text('mcp__it__echo', { words: 'hello' });
    const request = await untilAsked(project);
    expect(request.asked).toMatchObject({ approval: { server: 'it', tool: 'echo', rule: 'default' } });
    await approve(project, request.id, { ...human, scope: 'once' });
    expect(await waiting).toBe('hello');
    const refused = call('mcp__it__die', {});
    await deny(project, (await untilAsked(project)).id, { ...human, reason: 'it is in use' });
    expect(textOf(await refused)).toContain('it is in use');
    expect(await eventsOf(project, 'server.lost')).toEqual([]);
  });

  it('keeps what the policy denies to itself', async () => {
    const policy = { ...allowAll, denylist: [{ server: 'it', tool: 'd*' }] };
    const agent = await gatewayAgent({ servers: { it: await serverOf() }, policy });
    const names = await listed(agent);
    expect(names).toContain('mcp__it__echo');
    expect(names).not.toContain('mcp__it__die');
    expect(textOf(await agent.call('mcp__it__die', {}))).toContain('denylist[0] it/d*');
  });

  it('has what it asks for from an agent that offers it', async () => {
    const asked: string[] = [];
    const { text } = await gatewayAgent(
      { servers: { it: await serverOf() }, policy: allowAll },
      {
        capabilities: { elicitation: {} },
        prepare: (client) => {
          client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
            asked.push(params.message);
            return { action: 'accept', content: { age: 7 } };
          });
        },
      },
    );
    expect(JSON.parse(await text('mcp__it__ask', {}))).toMatchObject({
      action: 'accept',
      content: { age: 7 },
    });
    expect(asked).toEqual(['it: Who are you?']);
  });

  it('has it from the human otherwise; a question of a call that was cancelled is withdrawn', async () => {
    const { text, call, project } = await gatewayAgent({
      servers: { it: await serverOf() },
      policy: allowAll,
    });
    const result = text('mcp__it__ask', {});
    const { id, asked } = await untilAsked(project);
    expect(asked.question).toContain('it: Who are you?');
    await answerRequest(project, id, { ...human, response: '7' });
    expect(JSON.parse(await result)).toMatchObject({ action: 'accept', content: { age: 7 } });

    const cancel = new AbortController();
    call('mcp__it__ask', {}, cancel.signal).catch(() => undefined);
    await untilAsked(project);
    cancel.abort('enough');
    await untilLogged(project, 'help.dismissed');
    expect(openRequests(project.state)).toEqual([]);
  });

  it('asks again, though it is allowed, for a tool that it defines anew', async () => {
    const { text, project, client } = await gatewayAgent({
      servers: { it: await serverOf() },
      policy: allowAll,
    });
    expect(await text('mcp__it__echo', { words: 'hello' })).toBe('hello');
    await untilLogged(project, 'tool.pinned');
    const changed = untilToolsChange(client);
    await client.listTools();
    await text('mcp__it__change', {});
    await changed;
    const waiting = text('mcp__it__echo', { words: 'more' });
    const { id, asked } = await untilAsked(project);
    expect(asked.approval?.change).toContain('+  "description": "Says it backwards"');
    await approve(project, id, { ...human, scope: 'always' });
    expect(await waiting).toBe('more');
  });
});
