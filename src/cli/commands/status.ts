import { relative } from 'node:path';
import type { Command } from 'commander';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { describeLimits } from '../../views/sprints/describe-sprint.ts';
import { inboxOf } from '../../views/requests/inbox.ts';
import type { Project } from '../../workflow/project/project.ts';
import {
  findSprintFolder,
  listSprintFolders,
  type SprintIndex,
} from '../../workflow/sprint/sprint-folders.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Cli } from '../cli.ts';
import { filesBehindLog } from '../../workflow/projections/behind-log.ts';
import { openRequests } from '../../workflow/requests/find-request.ts';
import { knownSprints, type KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { sprintsWithoutManifest } from '../../workflow/sprint/missing-manifest.ts';
import { manifestRemarks } from '../../workflow/sprint/manifest-remarks.ts';
import { statusOf, type SprintStatus } from '../../views/sprints/sprint-status.ts';
import { behindNote } from '../text/behind-text.ts';
import { limitLine, statusLines } from '../text/status-lines.ts';
import { hanging } from '../text/paragraph.ts';
import {
  disproved,
  mistrustedText,
  unaskedIn,
  unaskedInEditors,
  type Mistrusted,
} from '../doctor/mistrusted.ts';
import { environmentFlags } from '../input/environment-flags.ts';
import { plannedAgents } from '../../runner/plan/planned-agents.ts';
import { tasksLeft } from '../../runner/plan/tasks-left.ts';
import { problemText } from '../../workflow/config/config-problem.ts';
import { readConfig, type ConfigReading } from '../../workflow/config/load-config.ts';
import { processesOf } from '../project/processes.ts';
import { everywhereOption } from '../input/everywhere-option.ts';
import { CliffordError } from '../../errors.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import type { ClosedProject } from '../../workflow/projects/open-projects.ts';
import { unservedNeeds } from '../queue/unserved.ts';
import { noteEmptyLog } from '../project/note-empty-log.ts';
import { withProject } from '../project/with-project.ts';
import { withProjects, type ProjectOfSeveral } from '../project/with-projects.ts';

type Options = { json?: true; everywhere?: true };

/** `clifford status`: where every sprint stands, and what waits for a human. */
export function addStatus(program: Command, cli: Cli): void {
  program
    .command('status')
    .summary('show where the sprints stand')
    .description(
      'Shows where the sprints and their tasks stand, and what the questions are called that are open. The tasks of a sprint that is done are shown when it is named.',
    )
    .argument('[sprint]', 'id or folder name (default: all)')
    .addOption(everywhereOption())
    .option(
      '--json',
      'for programs: { sprints: [ … ], inbox: [ … ], limits: [ … ], mistrusted: [ … ], behind: [ … ], mirror }',
    )
    .addHelpText('after', '\nExamples:\n  clifford status\n  clifford status sprint-1 --json')
    .action((name: string | undefined, { json, everywhere }: Options) =>
      everywhere
        ? withProjects(
            cli,
            (opened, closed) => statusEverywhere(cli, { opened, closed, name, isJson: json === true }),
            { onlyLooks: true },
          )
        : withProject(
            cli,
            async (project) => {
              noteEmptyLog(cli, project);
              const { shown, print } = await statusOfProject(cli, project, name);
              if (json) cli.printJson(shown);
              else print();
            },
            '/clifford/cli',
            { onlyLooks: true },
          ),
    );
}

/** The same of several projects, each below its name. A sprint that is named may be in some of them only. */
async function statusEverywhere(
  cli: Cli,
  {
    opened,
    closed,
    name,
    isJson,
  }: {
    readonly opened: readonly ProjectOfSeveral[];
    readonly closed: readonly ClosedProject[];
    readonly name: string | undefined;
    readonly isJson: boolean;
  },
): Promise<void> {
  const found = await Promise.all(
    opened.map(async ({ cli: own, project, ...known }) => {
      try {
        return { ...known, status: await statusOfProject(own, project, name) };
      } catch (error) {
        if (!(error instanceof CliffordError)) throw error;
        return { ...known, error };
      }
    }),
  );
  const told = found.filter((each) => 'status' in each);
  const failed = found.filter((each) => 'error' in each);
  // Where nobody has that sprint, what one of them says is the reason.
  const [first] = failed;
  if (first && told.length === 0) throw first.error;
  if (failed.length > 0 && name === undefined) cli.endWith(exitCodes.failed);
  if (isJson)
    return cli.printJson([
      ...told.map(({ name: project, root, status }) => ({ project, root, ...status.shown })),
      ...(name === undefined ? failed : []).map(({ name: project, root, error }) => ({
        project,
        root,
        reason: error.inOneLine,
      })),
      ...closed.map(({ name: project, root, reason }) => ({ project, root, reason })),
    ]);
  for (const [at, { name: project, root, status }] of told.entries()) {
    cli.print(
      `${at === 0 ? '' : '\n'}${cli.style('bold', visibleLine(project))}  ${cli.style('dim', visibleLine(root))}`,
    );
    status.print();
  }
  if (name === undefined)
    for (const { name: project, error } of failed) cli.note(`${project}: ${error.inOneLine}`);
}

/** What the command says of one project: for programs, and for people. */
type StatusOfProject = { readonly shown: object; readonly print: () => void };

async function statusOfProject(
  cli: Cli,
  project: Project,
  name: string | undefined,
): Promise<StatusOfProject> {
  const index = await listSprintFolders(project.root);
  const sprints = statusesOf(project, index, name);
  const [broken] = index.broken;
  if (sprints.length === 0 && broken) throw broken.error;
  const now = Date.now();
  const limits = describeLimits(project.state.limits, now);
  const behind = await filesBehindLog(
    project,
    sprints.map(({ id }) => id),
  );
  const isAboutEditors = name === undefined || name === ADHOC_STREAM;
  const inEditors = isAboutEditors ? unaskedInEditors(project.state) : [];
  const reading = await readConfig({ root: project.root, env: cli.env, configMemory: cli.configMemory });
  const mistrusted = [...(await mistrustedOf(cli, project, index, sprints, reading)), ...inEditors];
  const inbox = inboxOf(project.state).filter(({ sprint }) => sprints.some(({ id }) => id === sprint));
  const shown = {
    sprints,
    inbox: inbox.map(({ id, sprint, risk }) => ({ id, sprint, risk })),
    limits,
    mistrusted,
    behind: behind.map((path) => relative(project.root, path)),
    mirror: project.mirror ? { of: project.mirror.of, at: project.mirror.at } : null,
  };
  const queued = sprints.flatMap(({ id, queuedAt, hasRunner }) =>
    queuedAt === undefined || hasRunner ? [] : [id],
  );
  const unserved = await unservedNeeds(cli, project, queued);
  // A variable that is not set here is no fault of a file.
  const misread = reading.problems.filter(({ isVariable }) => !isVariable).map(problemText);
  const notes = [...misread, ...(await notesOf(project, index, sprints))];
  const print = () => {
    if (sprints.length === 0)
      cli.print(
        `no sprints: make one with ${cli.called} sprint new <id>, or see one run with: clifford demo`,
      );
    const open = openRequests(project.state).map(({ id }) => id);
    const look = { ...cli, now, open, unserved, isOneOfMany: sprints.length > 1 };
    const blocks = sprints.map((sprint) => statusLines(sprint, look));
    if (sprints.some((sprint) => sprint.open.length > 0))
      blocks.push([
        hanging(cli, '', `what is asked in full, and how to answer it: ${cli.called} questions`, 2),
      ]);
    if (limits.length > 0) blocks.push(limits.map((limit) => limitLine(limit, now)));
    if (mistrusted.length > 0)
      blocks.push(mistrusted.map((each) => hanging(cli, '', mistrustedText(each), 2)));
    if (blocks.length > 0) cli.print(blocks.map((lines) => lines.join('\n')).join('\n\n'));
    if (behind.length > 0) cli.note(behindNote(project.root, behind));
    notes.forEach(cli.note);
  };
  return { shown, print };
}

/** The agents of these sprints, and of the configuration, that were seen to act without a yes. */
async function mistrustedOf(
  { env }: Cli,
  { root, state }: Project,
  { sprints: folders }: SprintIndex,
  shown: readonly SprintStatus[],
  reading: ConfigReading,
): Promise<Mistrusted[]> {
  const place = { root, env };
  const tasks = folders
    .filter(({ manifest }) => shown.some(({ id }) => id === manifest.id))
    .flatMap((folder) =>
      tasksLeft(folder, state.streams.get(folder.manifest.id)).map(({ id }) => ({ folder, taskId: id })),
    );
  const planned = plannedAgents(place, reading, [environmentFlags({ env }), ...tasks]);
  const names = new Set([...planned, ...Object.keys(reading.config.agents)]);
  return [...(await disproved(place, reading, [...names])), ...unaskedIn(shown)];
}

/** What is wrong with manifests that cannot be read, and what may be with the others. */
async function notesOf(
  project: Project,
  index: SprintIndex,
  shown: readonly SprintStatus[],
): Promise<string[]> {
  const remarks = index.sprints
    .filter(({ manifest }) => shown.some(({ id }) => id === manifest.id))
    .map((folder) => manifestRemarks(project.root, folder, project.state.streams.get(folder.manifest.id)));
  const missing = sprintsWithoutManifest(project.root, project.state, index).filter((each) =>
    shown.some(({ id }) => id === each.id),
  );
  return [
    ...index.broken.map(({ error }) => error.message),
    ...missing.map(({ text }) => text),
    ...(await Promise.all(remarks)).flat(),
  ];
}

function statusesOf(project: Project, index: SprintIndex, name: string | undefined): SprintStatus[] {
  const { state } = project;
  const { streams } = state;
  const known = knownSprints(state, index);
  const processes = processesOf(project);
  const show = (sprint: KnownSprint) => statusOf(sprint, state, processes);
  if (name === undefined) {
    const adhoc = streams.get(ADHOC_STREAM);
    const hasQuestions = adhoc && [...adhoc.requests.values()].some(({ phase }) => phase === 'open');
    const all = hasQuestions ? [...known, { id: ADHOC_STREAM, folder: undefined }] : known;
    return all.map((sprint) => show(sprint));
  }
  const named = known.find(({ id }) => id === name);
  if (named) return [show(named)];
  if (name === ADHOC_STREAM && streams.has(name)) return [show({ id: name, folder: undefined })];
  const folder = findSprintFolder(index, name);
  return [show({ id: folder.manifest.id, folder })];
}
