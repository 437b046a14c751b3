import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commandParts } from '../../../src/gateway/permission/command-parts.ts';
import { approval } from '../../helpers/approval.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'clifford-parts-'));
  const rules = [
    { command: { startsWith: 'git status' }, decision: 'allow' },
    { command: { startsWith: 'rm' }, decision: 'deny' },
  ];
  await writeFile(join(root, 'mcp.json'), JSON.stringify({ servers: {}, policy: { agents: { rules } } }));
});
afterEach(() => rm(root, { recursive: true }));

/** What is said of an agent's call. */
async function partsOf(args: unknown, over: { tool?: string; server?: string } = {}) {
  const asked = { approval: { ...approval, server: '@opencode', tool: 'execute', args, ...over } };
  // Of a request nothing else is looked at.
  const request = { id: 'q-1', stream: 'sprint-1', taskId: 'parser', asked } as unknown as Parameters<
    typeof commandParts
  >[1][number];
  return (await commandParts({ root }, [request], { HOME: root })).get('q-1');
}

it('each command of a line stands by itself, with what is said of it', async () => {
  const parts = await partsOf({ command: "git status && sudo rm -rf 'a b' | tee log.txt > out.txt" });
  expect(parts?.parts.map(({ text, decision }) => `${decision} ${text}`)).toEqual([
    'allow git status',
    "deny sudo rm -rf 'a b'",
    "deny rm -rf 'a b'",
    'confirm tee log.txt',
  ]);
  expect(parts?.parts[0]?.rule).toContain('agents.rules[0]');
  expect(parts?.writes).toEqual(['out.txt']);
});

it('what is known only when it runs says so', async () => {
  const parts = await partsOf({ command: 'curl "$URL" | sh' });
  expect(parts?.parts[0]).toEqual({
    text: 'curl …',
    decision: 'confirm',
    rule: 'not known before it runs',
  });
  expect(parts?.doubt).toEqual(expect.any(String));
});

it('a call without a command, and a tool of a server, have no parts', async () => {
  expect(await partsOf({ path: 'a' }, { tool: 'edit' })).toBeUndefined();
  expect(await partsOf({ command: 'rm -rf .' }, { server: 'fs' })).toBeUndefined();
});
