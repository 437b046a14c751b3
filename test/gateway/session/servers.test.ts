import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadMcpConfig } from '../../../src/gateway/config/load-mcp-config.ts';
import { recordTrust } from '../../../src/gateway/config/trust.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { openTestProject, projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { runs } from '../../mcp/support/gateway-servers.ts';
import {
  allowAll,
  fixture,
  gatewayAgent,
  gatewayEnv,
  listed,
  untilListed,
  untilToolsChange,
} from '../../mcp/support/gateway-agent.ts';
import { connectAgent, textOf } from '../../mcp/support/connect-agent.ts';
import { startServer } from '../../mcp/support/mcp-process.ts';
import { eventsOf, untilAsked, untilLogged } from '../../mcp/support/project-log.ts';

const servers = { it: fixture('handy.ts') };
const handy = { servers, policy: allowAll };

describe('a project without mcp.json', () => {
  it('has a server that says nothing of other servers', async () => {
    const { client } = await connectAgent(await tempRoot());
    expect(client.getServerCapabilities()).not.toHaveProperty('logging');
    expect(client.getInstructions()).not.toContain('mcp__');
  });
});

describe('an mcp.json that nobody trusts', () => {
  const untrusted = { CLIFFORD_TRUST_PROJECT: '' };

  it('starts nothing, says so in one line and in get_sprint_context, and our own tools work', async () => {
    const { root } = await projectWithSprint();
    const agent = await gatewayAgent(handy, { root, env: untrusted });
    expect(await listed(agent)).toEqual([]);
    const line =
      'mcp.json is not trusted yet, so none of its servers is started: ' +
      'a human has to look at it and run `clifford mcp trust`';
    expect(agent.told).toEqual([line]);
    const context = await agent.call('get_sprint_context', { sprintDir: 'sprints/demo' });
    expect(context.structuredContent).toMatchObject({ mcp: line });
    expect(await agent.text('mcp__it__echo', {})).toContain('clifford mcp trust');
    expect(await eventsOf(agent.project, 'server.connected')).toEqual([]);
  });

  it('is one as well while what this user trusts cannot be read, and the agent is told why', async () => {
    const { root } = await projectWithSprint();
    await mkdir(join(root, '.local/state/clifford'), { recursive: true });
    await writeFile(join(root, '.local/state/clifford/trusted.json'), '{"projects": "all of them"}');
    const agent = await gatewayAgent(handy, { root, env: untrusted });
    expect(await listed(agent)).toEqual([]);
    expect(agent.told).toEqual([expect.stringContaining('trusted.json: it is not what Clifford writes')]);
    const context = await agent.call('get_sprint_context', { sprintDir: 'sprints/demo' });
    expect(context.structuredContent).toMatchObject({ mcp: agent.told[0] });
    expect(await agent.text('mcp__it__echo', {})).toContain('trusted.json');
  });

  it('joins when a human trusts it, while the agent is there', async () => {
    const agent = await gatewayAgent(handy, { env: untrusted });
    expect(await listed(agent)).toEqual([]);
    const changed = untilToolsChange(agent.client);
    const { root } = agent;
    const env = gatewayEnv(root, untrusted);
    await recordTrust(root, await loadMcpConfig({ root, env }), env);
    await changed;
    expect(await listed(agent)).toContain('mcp__it__echo');
  });

  it('leaves what ran before in force when it was changed since', async () => {
    const root = await tempRoot();
    await writeMcpJson(root, handy);
    const env = gatewayEnv(root, untrusted);
    await recordTrust(root, await loadMcpConfig({ root, env }), env);
    const agent = await gatewayAgent(handy, { root, env: untrusted });
    const pid = await agent.text('mcp__it__pid', {});
    const said = agent.untilTold('it has changed');
    await writeMcpJson(root, { ...handy, servers: { it: fixture('crash-at-start.ts') } });
    await said;
    expect(await agent.text('mcp__it__pid', {})).toBe(pid);
  });
});

describe('a change of mcp.json', () => {
  it('ends what is gone, starts what is new, restarts what is different, and leaves the rest alone', async () => {
    const agent = await gatewayAgent({
      servers: { stays: fixture('handy.ts'), other: fixture('handy.ts'), gone: fixture('handy.ts') },
      policy: allowAll,
    });
    const pids = {
      stays: await agent.text('mcp__stays__pid', {}),
      other: await agent.text('mcp__other__pid', {}),
      gone: await agent.text('mcp__gone__pid', {}),
    };
    await writeMcpJson(agent.root, {
      servers: {
        stays: fixture('handy.ts'),
        other: fixture('handy.ts', { env: { NEW: 'yes' } }),
        fresh: fixture('handy.ts'),
      },
      policy: allowAll,
    });
    await untilListed(agent, 'mcp__fresh__echo');
    const names = await listed(agent);
    expect(names).not.toContain('mcp__gone__echo');
    expect(await agent.text('mcp__stays__pid', {})).toBe(pids.stays);
    expect(await agent.text('mcp__other__pid', {})).not.toBe(pids.other);
    expect(await agent.text('mcp__other__environment', {})).toContain('"NEW":"yes"');
    expect(runs(Number(pids.gone))).toBe(false);
  });

  it('that cannot be read refuses every call, ends no server, and is over when it can', async () => {
    const agent = await gatewayAgent(handy);
    const pid = await agent.text('mcp__it__pid', {});
    await agent.client.listTools();
    const broken = untilToolsChange(agent.client);
    await writeMcpJson(agent.root, '{ "servers": ');
    await broken;
    expect(await listed(agent)).toEqual([]);
    expect(await agent.text('mcp__it__pid', {})).toContain('The policy in mcp.json cannot be read');
    await writeMcpJson(agent.root, handy);
    await untilListed(agent, 'mcp__it__pid');
    expect(await agent.text('mcp__it__pid', {})).toBe(pid);
  });
});

describe('the list of tools', () => {
  it('does not wait for a server that does not start, which costs the others nothing', async () => {
    const slow = fixture('never-initialised.ts');
    const agent = await gatewayAgent(
      { servers: { ...servers, slow }, policy: allowAll },
      { env: { CLIFFORD_MCP_LIST_WAIT_MS: '2000' } },
    );
    expect(await listed(agent)).toContain('mcp__it__echo');
    expect(await agent.text('mcp__slow__echo', {})).toContain('its server slow is starting');
  });

  it('waits for such a server once', async () => {
    const agent = await gatewayAgent(
      { servers: { slow: fixture('never-initialised.ts') } },
      { env: { CLIFFORD_MCP_LIST_WAIT_MS: '1500' } },
    );
    // Fifty waits would be longer than a test may take.
    for (let n = 0; n < 50; n += 1) expect(await listed(agent)).toEqual([]);
  });

  it('has no tools of a server that cannot list them, and a call of one says why', async () => {
    const listless = fixture('handy.ts', { args: ['listless'] });
    const agent = await gatewayAgent({ servers: { listless, ...servers }, policy: allowAll });
    expect(await listed(agent)).toContain('mcp__it__echo');
    expect(await agent.text('mcp__listless__echo', {})).toContain(
      'its server listless is ready (Cannot run the list of tools of the MCP server listless: not yet)',
    );
    expect(await agent.text('mcp__it__nothing', {})).toContain('there is no such tool');
  });

  it('is told to be out of date when a server joins later', async () => {
    const agent = await gatewayAgent(handy, { env: { CLIFFORD_MCP_LIST_WAIT_MS: '0' } });
    expect(await listed(agent)).toEqual([]);
    await untilListed(agent, 'mcp__it__echo');
  });

  it('has the tools of a server that fails to start never, and the log says why', async () => {
    const root = await tempRoot();
    const crash = fixture('crash-at-start.ts', { args: [join(root, 'starts')] });
    const agent = await gatewayAgent({ servers: { crash, ...servers }, policy: allowAll }, { root });
    expect(await listed(agent)).toContain('mcp__it__echo');
    const [lost] = await untilLogged(agent.project, 'server.lost');
    expect(lost?.data.reason).toContain('no licence found');
    expect(agent.told.join()).toContain('no licence found');
  });
});

describe('a server that starts with its first call', () => {
  const lazy = { servers: { it: fixture('handy.ts', { autoStart: false }) }, policy: allowAll };

  it('is started once to learn its tools; later its tools are listed without it, until one is called', async () => {
    const first = await gatewayAgent(lazy);
    expect(await listed(first)).toContain('mcp__it__echo');
    await untilLogged(first.project, 'tool.pinned');
    // What is kept of the tools is kept when the server has ended.
    await first.server.stop();
    const second = await gatewayAgent(lazy, { root: first.root });
    expect(await listed(second)).toContain('mcp__it__echo');
    expect(await eventsOf(second.project, 'server.connected')).toHaveLength(1);
    expect(await second.text('mcp__it__echo', { words: 'up' })).toBe('up');
    expect(await untilLogged(second.project, 'server.connected', 2)).toHaveLength(2);
  });
});

describe('the server process', () => {
  it('ends its servers with itself, while a call waits, and the question stays', async () => {
    const root = await tempRoot();
    const project = await openTestProject(root);
    const stubborn = fixture('stubborn.ts');
    const policy = { rules: [{ tool: 'pid', decision: 'allow' }] };
    await writeMcpJson(root, { servers: { ...servers, stubborn }, policy });
    const server = startServer(root, { env: gatewayEnv(root) });
    const { call } = await server.connect();
    const pid = Number(textOf(await call('mcp__stubborn__pid', {})));
    void call('mcp__it__echo', {}).catch(() => undefined);
    await untilAsked(project);
    const { code } = await server.exitAfter(() => server.child.stdin.end());
    expect(code).toBe(0);
    expect(runs(pid)).toBe(false);
    expect((await untilAsked(project)).phase).toBe('open');
    server.messages();
    await rm(join(root, 'mcp.json'));
  });
});
