import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { ResourceList } from '../../../src/gateway/lists/resource-list.ts';
import type { McpManager } from '../../../src/gateway/server/mcp-manager.ts';
import { exposedUri, resourceOrigin } from '../../../src/gateway/lists/resource-uri.ts';
import { approve } from '../../../src/workflow/requests/approval.ts';
import { allowAll, fixture, gatewayAgent } from '../../mcp/support/gateway-agent.ts';
import { published } from '../../mcp/support/gateway-servers.ts';
import { eventsOf, untilAsked, untilLogged } from '../../mcp/support/project-log.ts';

const everything = { command: process.execPath, args: [published.everything] };
const servers = { all: everything };
const document = 'demo://resource/static/document/architecture.md';

describe('the URI of a resource', () => {
  it.each(['file:///a/../b?c#d', 'demo://x/{id}', 'mcp://other/a:b'])('%s comes back as it was', (uri) => {
    expect(resourceOrigin(exposedUri({ serverId: 'a_B-1', uri }))).toEqual({ serverId: 'a_B-1', uri });
  });

  it.each(['demo://x', 'mcp://', 'mcp://it', 'mcp://it/', 'mcp://a%20b/c'])('%s names no server', (uri) => {
    expect(resourceOrigin(uri)).toBeUndefined();
  });
});

describe('the resources of other servers', () => {
  it('are listed and read under URIs that name their server, and reading is recorded like a call', async () => {
    const { client, project } = await gatewayAgent({ servers, policy: allowAll });
    const { resources } = await client.listResources();
    const uri = `mcp://all/${document}`;
    expect(resources.map((each) => each.uri)).toContain(uri);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, text: expect.stringContaining('Architecture') as string }]);
    const [requested] = await untilLogged(project, 'tool.requested');
    expect(requested?.data).toMatchObject({ server: 'all', tool: 'resources/read', args: { uri: document } });
    await untilLogged(project, 'tool.returned');

    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      'mcp://all/demo://resource/dynamic/text/{resourceId}',
    );
    const dynamic = await client.readResource({ uri: 'mcp://all/demo://resource/dynamic/text/7' });
    expect(dynamic.contents[0]?.uri).toBe('mcp://all/demo://resource/dynamic/text/7');
  });

  it('can be read by the URI that stands in the result of a tool while one server has resources', async () => {
    const { client } = await gatewayAgent({ servers, policy: allowAll });
    expect((await client.readResource({ uri: document })).contents).toHaveLength(1);
    await expect(client.readResource({ uri: 'mcp://none/a:b' })).rejects.toThrow('it names no server');
  });

  it('are hidden and refused where the policy denies their server', async () => {
    const policy = { ...allowAll, denylist: [{ server: 'all', tool: '*' }] };
    const { client, project } = await gatewayAgent({ servers, policy });
    expect((await client.listTools()).tools.some(({ name }) => name.startsWith('mcp__'))).toBe(false);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['clifford://sprints']);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['work-on-next-task']);
    // The client's own words stand in front, once.
    await expect(client.readResource({ uri: `mcp://all/${document}` })).rejects.toThrow(
      /^MCP error -32600: The policy .*denylist\[0\] all\/\*/,
    );
    await untilLogged(project, 'tool.denied');
  });

  it('are asked about where the policy says so, and a rule can name them', async () => {
    const rule = { tool: 'resources/read', args: { uri: { glob: '*features.md' } }, decision: 'allow' };
    const { client, project } = await gatewayAgent({ servers, policy: { rules: [rule] } });
    await client.readResource({ uri: 'mcp://all/demo://resource/static/document/features.md' });
    const reading = client.readResource({ uri: `mcp://all/${document}` });
    const { id } = await untilAsked(project);
    await approve(project, id, { by: 'ann', via: 'cli', scope: 'once' });
    expect((await reading).contents).toHaveLength(1);
    expect(await eventsOf(project, 'help.requested')).toHaveLength(1);
  });
});

describe('the prompts of other servers', () => {
  it('are listed, got and completed under names that name their server', async () => {
    const { client } = await gatewayAgent({ servers, policy: allowAll });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('mcp__all__args-prompt');
    const { messages } = await client.getPrompt({
      name: 'mcp__all__args-prompt',
      arguments: { city: 'Ulm', state: 'BW' },
    });
    expect(JSON.stringify(messages)).toContain('Ulm');
    await expect(client.getPrompt({ name: 'mcp__all__none' })).rejects.toThrow(
      'no server that is ready has it',
    );

    const ref = { type: 'ref/prompt', name: 'mcp__all__completable-prompt' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'department', value: 'E' } });
    expect(completion.values).toEqual(['Engineering']);
  });
});

it('nothing hidden stands in the name of an argument of a prompt', async () => {
  const { client } = await gatewayAgent({ servers: { it: fixture('lengthy.ts') }, policy: allowAll });
  const { prompts } = await client.listPrompts();
  expect(prompts.slice(1)).toEqual([{ name: 'mcp__it__long', arguments: [{ name: 'to' }] }]);
});

describe('what servers say by themselves', () => {
  it('reaches the agent: logs under the name of the server, and that lists have changed', async () => {
    const logged = Promise.withResolvers<unknown>();
    const lists = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const agent = await gatewayAgent(
      { servers: { it: fixture('handy.ts') }, policy: allowAll },
      {
        prepare: (client) => {
          client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
            logged.resolve(params),
          );
          client.setNotificationHandler(ResourceListChangedNotificationSchema, () => lists[0]?.resolve());
          client.setNotificationHandler(PromptListChangedNotificationSchema, () => lists[1]?.resolve());
        },
      },
    );
    await agent.client.listResources();
    await agent.client.listPrompts();
    await agent.call('mcp__it__chatter', { count: 1 });
    expect(await logged.promise).toEqual({ level: 'info', logger: 'it', data: 0 });
    await Promise.all(lists.map(({ promise }) => promise));
  });

  it('is kept from an agent that wants to hear of graver things only', async () => {
    const heard: unknown[] = [];
    const { client, call } = await gatewayAgent(
      { servers: { it: fixture('handy.ts') }, policy: allowAll },
      {
        prepare: (each) =>
          each.setNotificationHandler(
            LoggingMessageNotificationSchema,
            ({ params }) => void heard.push(params),
          ),
      },
    );
    await client.setLoggingLevel('error');
    await call('mcp__it__chatter', { count: 3 });
    // Notices and results come in the order they were sent.
    await call('mcp__it__echo', {});
    expect(heard).toEqual([]);
  });
});

it('a file that a resource names is read by its server alone', async () => {
  const { client, root } = await gatewayAgent({ servers, policy: allowAll });
  await writeFile(join(root, 'secret.txt'), 'secret');
  await expect(client.readResource({ uri: `mcp://all/file://${root}/secret.txt` })).rejects.toThrow(
    'not found',
  );
});

it.each([
  ['resources', ['it cannot list']],
  ['resourceTemplates', []],
] as const)('a list of %s that a server has not costs no other, and is told of: %j', async (kind, told) => {
  const ready = { id: 'it', health: 'ready', server: { capabilities: { resources: {} } } };
  const list = () => Promise.reject(new Error('it cannot list'));
  const manager = { states: () => [ready], list } as unknown as McpManager;
  const said: unknown[] = [];
  const shelf = new ResourceList({ manager, listWaitMs: 1_000, report: (problem) => said.push(problem) });
  expect(await shelf.list(kind, () => false)).toEqual([]);
  expect(said).toEqual(told);
});
