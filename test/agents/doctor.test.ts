import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { clifford } from '../helpers/clifford-process.ts';
import { eventsOf } from '../helpers/sprint-run.ts';
import { agentClis } from './harness/agent-clis.ts';
import { cliffordsPaths } from './harness/agent-place.ts';
import type { AgentPlace } from './harness/agent-place.ts';
import { agentEnvironment } from './harness/installed.ts';
import { snapshot } from './harness/snapshot.ts';
import { testModel, testPlace } from './harness/test-place.ts';
import { writeUsersFiles } from './harness/users-files.ts';

const reportSchema = z.object({
  ok: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      text: z.string(),
      facts: z.looseObject({}).optional(),
    }),
  ),
});

/** Makes every agent use the scripted model. Returns the variables to start them with. */
async function settleAll(home: string, model: { readonly url: string }): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const agent of agentClis) Object.assign(all, await agent.settle(home, model));
  return all;
}

describe('clifford doctor', () => {
  it('sees every agent reach Clifford, asks no model, and leaves the files of its user alone', async () => {
    const place = await testPlace();
    await writeUsersFiles(place);
    const model = await testModel([{ text: 'Nobody should ask.' }]);
    const env = agentEnvironment(place, await settleAll(place.home, model));
    const leaveOut = [...agentClis.flatMap(({ ownPaths }) => ownPaths), ...cliffordsPaths];
    const before = await snapshot(place.home, leaveOut);
    const log = await readFile(join(place.project, '.clifford/events.jsonl'), 'utf8').catch(() => '');

    const { out, err } = await clifford(['doctor', '--json'], { cwd: place.project, env });

    expect(err).toBe('');
    const { ok, checks } = reportSchema.parse(JSON.parse(out));
    expect(ok, out).toBe(true);
    for (const { name } of agentClis) {
      const check = checks.find((each) => each.name === `agent:${name}`);
      expect(check, name).toMatchObject({
        status: 'good',
        facts: { isSupported: true, tookMs: expect.any(Number), callLimitMs: 86_400_000 },
      });
      expect(check?.facts?.['isLoggedIn'], name).not.toBe(false);
    }
    expect(model.exchanges.filter(({ conversation }) => conversation)).toEqual([]);
    expect(await snapshot(place.home, leaveOut)).toEqual(before);
    expect(await readFile(join(place.project, '.clifford/events.jsonl'), 'utf8').catch(() => '')).toBe(log);
  });
});

/** What an agent says of the MCP servers it knows in the project. */
async function mcpList(
  place: AgentPlace,
  [file, ...args]: readonly [string, ...string[]],
  more: Readonly<Record<string, string>>,
): Promise<string> {
  const run = promisify(execFile)(file, args, { cwd: place.project, env: agentEnvironment(place, more) });
  run.child.stdin?.end();
  const { stdout, stderr } = await run;
  return `${stdout}${stderr}`;
}

describe('an entry of clifford init', () => {
  it('is one that each agent reads, and starts Clifford with', async () => {
    const place = await testPlace();
    await writeUsersFiles(place);
    const env = await settleAll(place.home, await testModel([{ text: 'Nobody should ask.' }]));
    const clients = agentClis.map(({ name }) => name);
    const { code, err } = await clifford(['init', '--yes', '--mcp', ...clients], {
      cwd: place.project,
      env: agentEnvironment(place, env),
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });

    expect(await mcpList(place, ['opencode', 'mcp', 'list'], env)).toMatch(/clifford .*connected/);
    const trusting = { ...env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    expect(await mcpList(place, ['gemini', 'mcp', 'list'], trusting)).toMatch(/clifford: .* - Connected/);
    // A person has to approve these first: Claude Code the server, Codex and Copilot the folder.
    expect(await mcpList(place, ['claude', 'mcp', 'list'], env)).toMatch(/clifford: .*Pending approval/);
    const trust = `projects={${JSON.stringify(place.project)}={trust_level="trusted"}}`;
    const codex = await mcpList(place, ['codex', '-c', trust, 'mcp', 'list', '--json'], env);
    expect(JSON.parse(codex.slice(codex.indexOf('['), codex.lastIndexOf(']') + 1))).toMatchObject([
      { name: 'clifford', enabled: true, tool_timeout_sec: 86_400 },
    ]);

    const events = await eventsOf(place.log, 'adhoc');
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ client: expect.objectContaining({ name: 'opencode' }) }),
      expect.objectContaining({ client: expect.objectContaining({ name: 'mcp-test-client' }) }),
    ]);
  });
});
