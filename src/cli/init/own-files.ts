import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROMPT_TEMPLATE } from '../../runner/agent-prompt.ts';
import { PROMPT_FILE } from '../../runner/prompt-template.ts';
import { CONFIG_FILE } from '../../workflow/config/config-place.ts';
import { listSprintFolders } from '../../workflow/sprint-folders.ts';
import type { Install } from '../install.ts';
import { exampleSprint } from './example-sprint.ts';
import { findMerge, findMissing } from './find-merge.ts';
import type { Finding } from './finding.ts';
import { mergeJson } from './merge-json.ts';

/** What the project's own files are to say. */
export type OwnFiles = {
  /** The agent to work with; `undefined`: none was found. */
  readonly agent: string | undefined;
  /** Somebody asked for this agent: a configuration that is there is to name it, too. */
  readonly isAgentAsked: boolean;
  readonly install: Install;
};

/** What there is to do for a project to have a configuration, a sprint to try, and a prompt to change. */
export async function findOwnFiles(root: string, files: OwnFiles): Promise<Finding[]> {
  const { sprints, broken } = await listSprintFolders(root);
  const example = sprints.length + broken.length > 0 ? [] : exampleSprint;
  const missing = [
    ...example,
    { file: PROMPT_FILE, about: 'the text agents start with', text: PROMPT_TEMPLATE },
  ];
  return [
    await findConfig(root, files),
    ...(await Promise.all(missing.map((each) => findMissing(root, each)))),
  ];
}

async function findConfig(root: string, { agent, isAgentAsked, install }: OwnFiles): Promise<Finding> {
  const about = agent === undefined ? 'the configuration' : `the configuration: agent ${agent}`;
  const fresh = { file: CONFIG_FILE, about, text: configText(agent, schemaOf(install)) };
  const missing = await findMissing(root, fresh);
  if (missing.is !== 'there') return missing;
  if (!isAgentAsked || agent === undefined) return { ...missing, about: 'the configuration' };
  const entry = { path: ['agent'], value: agent };
  return findMerge(root, { file: CONFIG_FILE, about, entry, merge: mergeJson });
}

function schemaOf({ isInProject, folder }: Install): string {
  const schema = 'dist/clifford.schema.json';
  return isInProject ? `./node_modules/clifford/${schema}` : pathToFileURL(join(folder, schema)).href;
}

function configText(agent: string | undefined, schema: string): string {
  const named = agent === undefined ? '// "agent": "opencode",' : `"agent": ${JSON.stringify(agent)},`;
  return `{
  "$schema": ${JSON.stringify(schema)},

  // Who works on tasks: an agent that Clifford knows, or a name in "agents".
  ${named}

  // Its model, where not its own default.
  // "model": "",

  // Failed attempts that end a task.
  // "maxAttempts": 2,

  // What has to succeed before a task counts as completed.
  // "verify": ["npm test"],

  // Any other program that can be started from a command line.
  // "agents": { "mine": { "command": "my-agent --print {prompt}" } },
}
`;
}
