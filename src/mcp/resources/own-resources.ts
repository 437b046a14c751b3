import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { noSuchThing } from '../../gateway/session/gateway-errors.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { eventLine } from '../../views/events/event-line.ts';
import { isBeingRun } from '../../workflow/queue/worker-of.ts';
import type { Project } from '../../workflow/project/project.ts';
import { readTaskFile } from '../../workflow/task/read-task-file.ts';
import { projectSprint, projectSprints, type ProjectSprint } from './project-sprints.ts';
import { resourceName, uriOf, uriTemplate, type ResourceName } from './resource-name.ts';
import { shownLine, shownSprint, shownTask } from './shown-state.ts';

/** So many resources are listed. All others are read by their templates. */
const MOST_LISTED = 500;
/** So many sprints are told of, and events of a log, in one reading. */
const MOST_SPRINTS = 500;
const MOST_EVENTS = 100;
/** So much of a task's file, in bytes. */
const FILE_BYTES = 100_000;

const JSON_TYPE = 'application/json';

/** What of the project an agent may want to read by its URI. */
export const ownTemplates: readonly ResourceTemplate[] = [
  {
    uriTemplate: uriTemplate.sprint,
    name: 'sprint',
    title: 'A sprint',
    description: 'Where a sprint and its tasks stand, and what waits for a human',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: uriTemplate.task,
    name: 'task',
    title: 'A task',
    description: 'Where a task stands, what it says, and the questions about it with their answers',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: uriTemplate.log,
    name: 'log',
    title: 'The log of a sprint',
    description: `What happened, a line for each event: the latest ${MOST_EVENTS}, or as many from a version on`,
    mimeType: JSON_TYPE,
  },
];

/** All sprints with their logs, and the tasks of those that are not over. */
export async function listOwnResources(project: Project): Promise<Resource[]> {
  await project.refresh();
  const sprints = await projectSprints(project);
  const all: Resource = {
    uri: uriOf({ is: 'sprints' }),
    name: 'sprints',
    title: 'Sprints',
    description: 'Every sprint of the project, in a line each',
    mimeType: JSON_TYPE,
  };
  return [all, ...sprints.flatMap(listedSprint)].slice(0, MOST_LISTED);
}

function listedSprint({ known: { id }, view }: ProjectSprint): Resource[] {
  const name = cleanLine(view?.name ?? id, 200);
  const tasks = view === undefined || view.state === 'done' ? [] : view.tasks;
  return [
    { uri: uriOf({ is: 'sprint', sprint: id }), name: id, title: name, mimeType: JSON_TYPE },
    { uri: uriOf({ is: 'log', sprint: id }), name: `${id} log`, title: `${name}: log`, mimeType: JSON_TYPE },
    ...tasks.map(({ id: task }) => ({
      uri: uriOf({ is: 'task', sprint: id, task }),
      name: `${id} ${task}`,
      title: cleanLine(`${name}: ${task}`, 200),
      mimeType: JSON_TYPE,
    })),
  ];
}

/**
 * What the resource of a URI says now, as JSON. Secrets are taken out as from the log, also out of what humans have answered.
 *
 * @throws {CliffordError} `RESOURCE_UNKNOWN`.
 */
export async function readOwnResource(project: Project, uri: string): Promise<object> {
  const name = resourceName(uri);
  if (name === undefined) throw unknown(uri, 'it is none of those that are listed, and fits no template');
  await project.refresh();
  const said = await contentOf(project, name);
  if (said === undefined) throw unknown(uri, 'the project has no such sprint, or the sprint no such task');
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(said, null, 2) }] };
}

async function contentOf(project: Project, name: ResourceName): Promise<object | undefined> {
  if (name.is === 'sprints') return allSprints(await projectSprints(project));
  const sprint = await projectSprint(project, name.sprint);
  if (sprint === undefined) return undefined;
  switch (name.is) {
    case 'sprint':
      return { ...shownSprint(sprint.view), hasRunner: isBeingRun(project, name.sprint) };
    case 'task':
      return taskContent(project, sprint, name.task);
    case 'log':
      return logContent(project, name.sprint, name.from);
  }
}

function allSprints(sprints: readonly ProjectSprint[]): object {
  return {
    sprints: sprints
      .slice(0, MOST_SPRINTS)
      .map(({ known: { id }, view }) =>
        view ? shownLine(view) : { uri: uriOf({ is: 'sprint', sprint: id }), id, state: 'done' },
      ),
    ...(sprints.length > MOST_SPRINTS ? { sprintsLeftOut: sprints.length - MOST_SPRINTS } : {}),
  };
}

async function taskContent(
  project: Project,
  { known: { id, folder }, view }: Required<ProjectSprint>,
  taskId: string,
): Promise<object | undefined> {
  const task = view.tasks.find((each) => each.id === taskId);
  if (task === undefined) return undefined;
  const requests = [...(project.state.streams.get(id)?.requests.values() ?? [])];
  const text = folder ? await readTaskFile(project.root, folder.dir, task.file, FILE_BYTES) : null;
  return {
    ...shownTask(id, task, requests),
    content: text === null ? null : project.asLogged(text),
  };
}

async function logContent(project: Project, sprint: string, from: number | undefined): Promise<object> {
  const known = project.state.streams.get(sprint);
  const version = known?.version ?? 0;
  const fromVersion = from ?? Math.max(1, version - MOST_EVENTS + 1);
  const toVersion = Math.min(version, fromVersion + MOST_EVENTS - 1);
  const events: StoredEvent[] = [];
  if (toVersion >= fromVersion)
    for await (const batch of project.log.read({ stream: sprint, fromVersion, toVersion }))
      events.push(...batch.events);
  const part = (at: number) => uriOf({ is: 'log', sprint, from: at });
  return {
    version,
    events: events.map((event) => {
      const { sprint: _same, ...line } = eventLine(event, known);
      return line;
    }),
    ...(fromVersion > 1 ? { earlier: part(Math.max(1, fromVersion - MOST_EVENTS)) } : {}),
    ...(toVersion < version ? { later: part(toVersion + 1) } : {}),
  };
}

function unknown(uri: string, why: string): CliffordError {
  return noSuchThing('resource', uri, why);
}
