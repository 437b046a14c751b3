import { join } from 'node:path';
import { askLevels, DEFAULT_AGENT_POLICY, type AskLevel } from '../../gateway/config/agent-policy.ts';
import { MCP_CONFIG_FILE } from '../../gateway/config/load-mcp-config.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { jsoncValue } from '../../lib/json/json-tree.ts';
import type { Cli } from '../cli.ts';
import { askLine } from '../input/ask-line.ts';
import { findMerge, findMissing } from './find-merge.ts';
import type { Finding } from './finding.ts';
import { mergeJson } from './merge-json.ts';
import { readTarget } from './target-file.ts';

const PLACE = ['policy', 'agents', 'ask'] as const;

/** What `mcp.json` says then, as a list of files has it. */
const abouts: Readonly<Record<AskLevel, string>> = {
  everything: 'agents ask you about everything before they do it',
  'what-matters': 'agents ask you about what matters before they do it, such as commands and deletions',
  nothing: 'agents ask you about nothing before they do it',
};

const meanings: Readonly<Record<AskLevel, string>> = {
  everything: 'all they do with tools of their own, and MCP servers',
  'what-matters': 'commands, deletes, network, MCP servers, outside the project',
  nothing: 'unattended: their tools run, MCP servers only as rules allow',
};

/** Whether a person can still say what agents ask about: `mcp.json` does not, and can be changed. */
export async function isLevelOpen(root: string): Promise<boolean> {
  const found = await readTarget(join(root, MCP_CONFIG_FILE));
  if (!found) return true;
  if ('refused' in found) return false;
  let value: unknown = jsoncValue(found.text);
  for (const key of PLACE) {
    if (!isJsonObject(value)) return false;
    if (!Object.hasOwn(value, key)) return true;
    value = value[key];
  }
  return false;
}

/** Asks what agents are to ask about. An empty line is the default. `stop`: Ctrl-C or Ctrl-D. */
export async function chooseLevel(cli: Cli): Promise<AskLevel | 'stop'> {
  cli.print('What are agents to ask you about before they do it?');
  for (const [index, level] of askLevels.entries())
    cli.print(`  ${index + 1}  ${level.padEnd(12)}  ${meanings[level]}`);
  for (;;) {
    const text = await askLine(cli, `1, 2 or 3 [${askLevels.indexOf(DEFAULT_AGENT_POLICY.ask) + 1}]: `);
    if (text === undefined) return 'stop';
    const word = text.trim().toLowerCase();
    const chosen = word === '' ? DEFAULT_AGENT_POLICY.ask : (named(word) ?? askLevels[Number(word) - 1]);
    if (chosen) return chosen;
  }
}

/**
 * What there is to do for `mcp.json` to say what agents ask about. `undefined`: nobody has chosen; then one that is there
 * stays as it is, and a new one says what holds without it.
 */
export async function findAskLevel(root: string, chosen: AskLevel | undefined): Promise<Finding> {
  const level = chosen ?? DEFAULT_AGENT_POLICY.ask;
  const about = abouts[level];
  const missing = await findMissing(root, { file: MCP_CONFIG_FILE, about, text: fileText(level) });
  if (missing.is === 'wanted') return missing;
  if (chosen === undefined)
    return { is: 'there', shown: MCP_CONFIG_FILE, about: 'servers, and what agents may do' };
  const entry = { path: PLACE, value: level };
  return findMerge(root, { file: MCP_CONFIG_FILE, about, entry, merge: mergeJson });
}

/** The level of this name. */
function named(word: string): AskLevel | undefined {
  return askLevels.find((level) => level === word);
}

function fileText(level: AskLevel): string {
  const levels = askLevels.join(', ');
  return `{
  // MCP servers behind Clifford: clifford mcp add
  "servers": {},

  "policy": {
    // What agents ask about where no rule decides: ${levels}.
    // With nothing, calls of MCP servers run only where a rule allows them.
    "agents": { "ask": ${JSON.stringify(level)} }
  }
}
`;
}
