import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clifford } from '../helpers/clifford-process.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

const KNOWN = 'opencode, claude, codex, gemini, copilot, cursor';

/** What `clifford` says on stderr, each line without what stands before it. */
async function said(
  args: readonly string[],
  { config = {}, manifest = {} }: { config?: object; manifest?: object } = {},
): Promise<string[]> {
  const root = await tempRoot();
  await writeSprint(root, { tasks: ['a'], manifest });
  await writeConfig(join(root, 'clifford.json'), config);
  const { code, err } = await clifford(args, { cwd: root });
  expect(code).toBe(2);
  return err.trimEnd().replaceAll(root, '/p').split('\n');
}

describe('an agent that there is not', () => {
  it.each([
    ['in the manifest', {}, { agent: 'cluade' }, [], 'sprints/demo/manifest.json: agent'],
    ['in clifford.json', { agent: 'cluade' }, {}, [], 'clifford.json:2'],
    ['as --agent', {}, {}, ['--agent', 'cluade'], '--agent'],
  ])('%s: the nearest name and all of them are named', async (_where, config, manifest, args, origin) => {
    expect(await said(['run', ...args], { config, manifest })).toEqual([
      `clifford: Cannot find agent cluade, named by ${origin}: the known ones are ${KNOWN}; did you mean "claude"?`,
      '  Name one of them',
    ]);
  });

  it('has its own agents among the known ones, and says how a new one is made', async () => {
    const config = { agents: { mine: { command: 'true' } } };
    const lines = await said(['run', '--agent', 'reviewer'], { config });
    expect(lines.slice(-2)).toEqual([
      `clifford: Cannot find agent reviewer, named by --agent: the known ones are mine, ${KNOWN}`,
      '  Name one of them, or say in "agents" of clifford.json how reviewer is started',
    ]);
  });

  it('that is a command line is told where those stand', async () => {
    const [, fix] = await said(['run', '--agent', './mine.sh --fast']);
    expect(fix).toBe(
      '  Name one of them; a command line is "agentCmd" in clifford.json or the manifest, or --agent-cmd',
    );
  });

  it('that has only a misspelt key is no unknown one', async () => {
    const config = { agent: 'mine', agents: { mine: { comand: 'true' } } };
    const key = expect.stringMatching(
      /^note: Unknown key "agents\.mine\.comand" in .*; did you mean "command"\?$/,
    );
    expect(await said(['run'], { config })).toEqual([
      key,
      expect.stringMatching(
        /^clifford: Cannot use agent mine, named by clifford\.json:2: it has no "command" and no "adapter"\. Unknown key "agents\.mine\.comand" in .*$/,
      ),
      expect.stringMatching(/^ {2}Correct the name of the key; /),
    ]);
  });

  it('is said the same by the doctor', async () => {
    const root = await tempRoot();
    await writeConfig(join(root, 'clifford.json'), { agent: 'cluade' });
    const { out } = await clifford(['doctor', '--json'], { cwd: root });
    const { checks } = JSON.parse(out) as { checks: { name: string; text: string; fix: string }[] };
    expect(checks.find(({ name }) => name === 'default-agent')).toMatchObject({
      text: expect.stringContaining('did you mean "claude"?'),
      fix: 'Name one of them',
    });
  });

  it.each([
    ['--agent', 'cluade', 'did you mean "claude"?', /how any other program is run, .*agents\.md says$/],
    ['--mcp', 'vscod', 'did you mean "vscode"?', /how any other client starts the server, .*setup\.md says$/],
  ])('of clifford init %s %s is told apart', async (option, name, near, fix) => {
    const [text, advice] = await said(['init', option, name, '--dry-run']);
    expect(text).toMatch(new RegExp(`Cannot use ${option} ${name}: the known ones are .*; `));
    expect(text).toContain(near);
    expect(advice).toMatch(fix);
  });
});

describe('what JSON is made of has one name', () => {
  it.each(['clifford.json', 'mcp.json', 'sprints/demo/manifest.json'])('in %s', async (name) => {
    const root = await tempRoot();
    await writeSprint(root, { tasks: ['a'] });
    expect(await readFile(join(root, 'sprints/demo/manifest.json'), 'utf8')).toContain('"tasks"');
    await writeFile(join(root, name), '[]');
    const { err, out } = await clifford(name === 'mcp.json' ? ['mcp', 'list'] : ['run', 'demo'], {
      cwd: root,
    });
    expect(`${err}${out}`).toMatch(/the file must\s+be an\s+object\b/);
    // Of the file itself there is no key to be removed.
    expect(err).not.toContain('remove the key');
  });
});
