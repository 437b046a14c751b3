import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, vi } from 'vitest';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { allowAll, fixture, gatewayAgent } from '../../mcp/support/gateway-agent.ts';
import { published } from '../../mcp/support/gateway-servers.ts';
import { startAttempt } from '../../mcp/support/start-attempt.ts';
import { untilAsked, untilLogged } from '../../mcp/support/project-log.ts';

const servers = { it: fixture('handy.ts') };
const uri = 'mcp://it/a:1';
const DEMO = 'clifford://sprints/demo';

/** An agent that keeps what it hears of resources. */
async function listener(mcpJson: object, root?: string) {
  const updated: string[] = [];
  const prepare = (client: Client) =>
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void updated.push(params.uri),
    );
  const agent = await gatewayAgent(mcpJson, { prepare, ...(root !== undefined && { root }) });
  const watched = () => agent.text('mcp__it__watched', {});
  const touch = (uris: string[], count = 1) => agent.text('mcp__it__touch', { uris, count });
  return { ...agent, updated, watched, touch };
}

describe('a subscription to a resource of another server', () => {
  it('reaches the server, and what it says reaches the agent under the URI that it knows', async () => {
    const { client, project, updated, touch, watched } = await listener({ servers, policy: allowAll });
    await client.subscribeResource({ uri });
    expect(await watched()).toBe('a:1');
    await touch(['a:2', 'a:1', 'a:1/part', 'a:10']);
    await vi.waitFor(() => expect(updated).toEqual([uri, `${uri}/part`]));
    const [requested] = await untilLogged(project, 'tool.requested');
    expect(requested?.data).toMatchObject({
      server: 'it',
      tool: 'resources/subscribe',
      args: { uri: 'a:1' },
    });
    await client.unsubscribeResource({ uri });
    await expect.poll(watched).toBe('');
    await touch(['a:1']);
    await client.subscribeResource({ uri: 'mcp://it/a:2' });
    await touch(['a:2']);
    await vi.waitFor(() => expect(updated).toContain('mcp://it/a:2'));
    expect(updated).toHaveLength(3);
  });

  it('is there beside those to the sprints of the project, as its resources are in one list', async () => {
    const { root, project } = await projectWithSprint();
    const { client, updated, touch } = await listener({ servers, policy: allowAll }, root);
    const { resources } = await client.listResources();
    expect(resources.map((each) => each.uri)).toEqual(expect.arrayContaining([DEMO, uri]));
    for (const each of [DEMO, uri]) await client.subscribeResource({ uri: each });
    await startAttempt(project, 'a', 'run-1');
    await vi.waitFor(() => expect(updated).toEqual([DEMO]));
    await touch(['a:1']);
    await vi.waitFor(() => expect(updated).toEqual([DEMO, uri]));
  });

  it('tells of many changes at once, however many a server sends', async () => {
    const { client, updated, touch } = await listener({ servers, policy: allowAll });
    await client.subscribeResource({ uri });
    await touch(['a:1'], 20_000);
    await vi.waitFor(() => expect(updated.length).toBeGreaterThan(0));
    expect(updated.length).toBeLessThan(100);
  });

  it('is refused where the policy denies it, and where the server offers none', async () => {
    const policy = { ...allowAll, denylist: [{ server: 'it', tool: 'resources/subscribe' }] };
    const all = { command: process.execPath, args: [published.filesystem, '.'] };
    const { client, project } = await listener({ servers: { ...servers, all }, policy });
    await expect(client.subscribeResource({ uri })).rejects.toThrow('denylist[0]');
    await untilLogged(project, 'tool.denied');
    await expect(client.subscribeResource({ uri: 'mcp://all/file:///x' })).rejects.toThrow(
      'it does not offer that',
    );
  });

  it('is asked about where the policy says so', async () => {
    const { client, project, updated, touch } = await listener({
      servers,
      policy: { allowlist: [{ server: 'it', tool: 'touch' }] },
    });
    const refused = client.subscribeResource({ uri }).catch(String);
    const who = { by: 'ann', via: 'cli' };
    const first = await untilAsked(project);
    await deny(project, first.id, { ...who, reason: 'not that' });
    expect(await refused).toContain('not that');
    const allowed = client.subscribeResource({ uri: 'mcp://it/a:2' });
    await approve(project, (await untilAsked(project)).id, { ...who, scope: 'once' });
    await allowed;
    await touch(['a:1', 'a:2']);
    await vi.waitFor(() => expect(updated).toEqual(['mcp://it/a:2']));
  });

  it('is made again with a server that was started anew, and the agent is told to look', async () => {
    const { client, call, updated, watched } = await listener({ servers, policy: allowAll });
    await client.subscribeResource({ uri });
    await call('mcp__it__die', { code: 1 });
    await vi.waitFor(() => expect(updated).toContain(uri), 10_000);
    await expect.poll(watched, { timeout: 10_000 }).toBe('a:1');
  });

  it('ends with the policy that allowed it', async () => {
    const { client, root, updated, touch, watched } = await listener({ servers, policy: allowAll });
    await client.subscribeResource({ uri });
    const policy = { ...allowAll, denylist: [{ server: 'it', tool: 'resources/*' }] };
    await writeMcpJson(root, { servers, policy });
    await expect
      .poll(async () => {
        await touch(['a:1']);
        return watched();
      })
      .toBe('');
    const before = updated.length;
    await touch(['a:1']);
    await watched();
    expect(updated.length).toBe(before);
  });
});
