import { CliffordError } from '../../errors.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import { adapterNames } from '../../workflow/config/adapter-names.ts';
import { requireProjectRoot } from '../../workflow/project/project-root.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import { listSprintFolders } from '../../workflow/sprint/sprint-folders.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';
import type { Subject } from './candidates.ts';

/** The words of the project that may stand for a sprint, a task, a question or an agent. Without a project: none. */
export async function projectWords(cli: Cli, subject: Subject): Promise<readonly string[]> {
  try {
    return await wordsOf(cli, subject);
  } catch (error) {
    // Whoever presses Tab is not told of a mistake in a file: the command itself will.
    if (error instanceof CliffordError) return [];
    throw error;
  }
}

async function wordsOf(cli: Cli, subject: Subject): Promise<readonly string[]> {
  const root = requireProjectRoot(cli);
  switch (subject) {
    case 'request':
      return withProject(cli, async ({ state }) => [...openRequests(state).map(({ id }) => id), 'last']);
    case 'agent': {
      const { config } = await readConfig({ root, env: cli.env });
      return [...new Set([...Object.keys(config.agents), ...adapterNames])];
    }
    case 'sprint': {
      const { sprints } = await listSprintFolders(root);
      return sprints.map(({ manifest }) => manifest.id);
    }
    case 'task': {
      const { sprints } = await listSprintFolders(root);
      return [...new Set(sprints.flatMap(({ manifest }) => manifest.tasks.map(({ id }) => id)))];
    }
  }
}
