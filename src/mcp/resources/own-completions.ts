import type { CompleteRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Project } from '../../workflow/project/project.ts';
import { workOnNextTask } from '../prompts/work-on-next-task.ts';
import { projectSprint, projectSprints } from './project-sprints.ts';
import { isOwnUri } from './resource-name.ts';

/** So many values a client gets at once, as MCP has it. */
const MOST = 100;

/** What an argument of Clifford's own prompt, or of a template of its resources, could be; `undefined`: it is of another server. */
export async function ownCompletions(
  project: Project,
  { ref, argument: { name, value }, context }: CompleteRequest['params'],
): Promise<string[] | undefined> {
  const isOurs = ref.type === 'ref/prompt' ? ref.name === workOnNextTask.name : isOwnUri(ref.uri);
  if (!isOurs) return undefined;
  const all = await valuesOf(project, name, context?.arguments?.['sprint']);
  return all.filter((each) => each.startsWith(value)).slice(0, MOST);
}

async function valuesOf(project: Project, name: string, sprint: string | undefined): Promise<string[]> {
  if (name === 'sprint') return (await projectSprints(project)).map(({ known }) => known.id);
  if (name !== 'task' || sprint === undefined) return [];
  return (await projectSprint(project, sprint))?.view.tasks.map(({ id }) => id) ?? [];
}
