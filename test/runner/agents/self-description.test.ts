import { glob, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownAgents } from '../../../src/runner/agents/known-agents.ts';
import { adapterNames } from '../../../src/workflow/config/adapter-names.ts';

const src = join(import.meta.dirname, '../../../src');

/** Files outside of `src/runner/agents` that may name agents, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'cli/commands/acp.ts': 'the help shows command lines that an editor can be given as they stand',
  'gateway/policy/agent-settings.ts':
    'what agents write to their own settings in a project is asked about, also behind an editor: the gate knows no adapters',
  'runner/scripted-model/messages.ts': 'the model that is named in its replies is one that exists',
  'workflow/config/adapter-names.ts': 'a configuration is checked with the names, far below the adapters',
  'gateway/wait/wait-limits.ts':
    'MCP clients by the names they call themselves, whoever started them: the server knows no adapters',
};

/** Words that say which agent is meant. `cursor` is a word of its own, too: only as a text of its own it is the agent. */
const words = adapterNames.filter((name) => name !== 'cursor');
const names = new RegExp(`\\b(?:${words.join('|')})\\b|['"\`]cursor['"\`]|\\.cursor/|claude-code`, 'i');

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');

async function filesThatNameAgents(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('**/*.{ts,tsx}', { cwd: src })) {
    const path = file.split(sep).join('/');
    if (path.startsWith('runner/agents/')) continue;
    if (names.test(withoutComments(await readFile(join(src, file), 'utf8')))) found.push(path);
  }
  return found.toSorted();
}

it('what is known of an agent stands with its adapter: no other file names one', async () => {
  expect(await filesThatNameAgents()).toEqual(Object.keys(exceptions).toSorted());
});

describe.each(adapterNames)('the adapter of %s', (name) => {
  const agent = knownAgents[name];

  it('says its own name, how it is installed, and where it finds Clifford when people start it', () => {
    expect(agent).toMatchObject({ name, bin: expect.any(String), install: expect.any(String) });
    const { path, value } = agent.mcpFile.entry(['clifford', 'mcp', 'serve']);
    expect(path.at(-1)).toBe('clifford');
    expect(JSON.stringify(value)).toContain('"serve"');
  });
});
