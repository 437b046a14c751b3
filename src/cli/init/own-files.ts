import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adapterNames } from '../../workflow/config/adapter-names.ts';
import { PROMPT_TEMPLATE } from '../../runner/plan/agent-prompt.ts';
import { PROMPT_FILE } from '../../runner/plan/prompt-template.ts';
import { CONFIG_FILE } from '../../workflow/config/config-place.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { listSprintFolders } from '../../workflow/sprint/sprint-folders.ts';
import type { Install } from '../project/install.ts';
import { exampleSprint } from './example-sprint.ts';
import { findCopy, findMerge, findMissing } from './find-merge.ts';
import type { Finding } from './finding.ts';
import { mergeJson } from './merge-json.ts';
import { readTarget } from './target-file.ts';

/** Where a project has the schema of its configuration that does not have the package, from its root. */
export const SCHEMA_COPY = `${STATE_DIR}/clifford.schema.json`;

/** The schema, from the package's folder. */
const SCHEMA = 'dist/clifford.schema.json';

/** What the project's own files are to say. */
export type OwnFiles = {
  /** The agent to work with; `undefined`: none was found. */
  readonly agent: string | undefined;
  /** Somebody asked for this agent: a configuration that is there is to name it, too. */
  readonly isAgentAsked: boolean;
  readonly install: Install;
  /** A sprint to try is wanted, where there is none. */
  readonly withSprint: boolean;
};

/** What there is to do for a project to have a configuration, a sprint to try, and a prompt to change. */
export async function findOwnFiles(root: string, files: OwnFiles): Promise<Finding[]> {
  const { sprints, broken } = await listSprintFolders(root);
  const example = files.withSprint && sprints.length + broken.length === 0 ? exampleSprint : [];
  const missing = [
    ...example,
    {
      file: PROMPT_FILE,
      about: 'the text that agents start with; change it as you like',
      text: PROMPT_TEMPLATE,
    },
  ];
  const config = await findConfig(root, files);
  return [
    config,
    ...((await namesCopy(root, config)) ? [await findSchema(root, files.install)] : []),
    ...(await Promise.all(missing.map((each) => findMissing(root, each)))),
  ];
}

async function findConfig(root: string, { agent, isAgentAsked, install }: OwnFiles): Promise<Finding> {
  const about =
    agent === undefined ? 'the settings of the project' : `the settings of the project, with agent ${agent}`;
  const fresh = { file: CONFIG_FILE, about, text: configText(agent, schemaOf(install)) };
  const missing = await findMissing(root, fresh);
  if (missing.is !== 'there') return missing;
  if (!isAgentAsked || agent === undefined) return { ...missing, about: 'the settings of the project' };
  const entry = { path: ['agent'], value: agent };
  return findMerge(root, { file: CONFIG_FILE, about, entry, merge: mergeJson });
}

/** From the project's root, so that it holds for whoever has the project. */
function schemaOf({ isInProject }: Install): string {
  return isInProject ? `./node_modules/clifford/${SCHEMA}` : `./${SCHEMA_COPY}`;
}

/** Whether the configuration, as it is or as it is to be, has its schema beside it. */
async function namesCopy(root: string, config: Finding): Promise<boolean> {
  if (config.is === 'wanted') return config.change.after.includes(SCHEMA_COPY);
  const found = await readTarget(join(root, CONFIG_FILE));
  return found !== undefined && 'text' in found && found.text.includes(SCHEMA_COPY);
}

async function findSchema(root: string, { folder }: Install): Promise<Finding> {
  const text = await readFile(join(folder, SCHEMA), 'utf8');
  return findCopy(root, { file: SCHEMA_COPY, about: `lets editors check and complete ${CONFIG_FILE}`, text });
}

function configText(agent: string | undefined, schema: string): string {
  const named =
    agent === undefined
      ? `// "agent": ${JSON.stringify(adapterNames[0])},`
      : `"agent": ${JSON.stringify(agent)},`;
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
