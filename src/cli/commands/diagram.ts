import { Argument, type Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import { toMermaid, type Mark } from '../../machines/diagram/mermaid.ts';
import { diagramOf } from '../../machines/diagram/model.ts';
import { requireTask } from '../../workflow/task/require-task.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { requestMachine } from '../../machines/request.machine.ts';
import { sprintMachine } from '../../machines/sprint.machine.ts';
import { taskMachine } from '../../machines/task.machine.ts';
import { nameOf } from '../../machines/status-words.ts';
import { chooseStream } from '../history/choose-stream.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';
import { printedWord } from '../../lib/text/shell-word.ts';

const machines = { task: taskMachine, sprint: sprintMachine, request: requestMachine };
type MachineName = keyof typeof machines;
type Options = { sprint?: string; task?: string };

/** `clifford diagram`: a machine as Mermaid, with the states things are in now. */
export function addDiagram(program: Command, cli: Cli): void {
  program
    .command('diagram')
    .summary('print a state machine as Mermaid')
    .description('Prints a state machine as Mermaid. With --sprint, the current states are marked.')
    .addArgument(new Argument('<machine>', 'which one').choices(Object.keys(machines)))
    .option('--sprint <sprint>', 'mark where this sprint, its tasks or its requests stand')
    .option('--task <task>', 'only this task of the sprint, or its requests')
    .addHelpText(
      'after',
      '\nExamples:\n  clifford diagram task > task.mmd\n  clifford diagram task --sprint sprint-1 --task task-2',
    )
    .action((machine: MachineName, options: Options) => diagram(cli, machine, options));
}

async function diagram(cli: Cli, machine: MachineName, { sprint: name, task }: Options): Promise<void> {
  if (task !== undefined && name === undefined) throw taskWithoutSprint(task);
  const marks =
    name === undefined
      ? []
      : await withProject(cli, async (project) => {
          const stream = await chooseStream(project, name);
          return marksOf(project.state, stream, { machine, taskId: task });
        });
  cli.print(toMermaid(diagramOf(machines[machine]), marks).trimEnd());
}

function marksOf(
  state: ProjectState,
  stream: string,
  { machine, taskId }: { machine: MachineName; taskId: string | undefined },
): Mark[] {
  const sprint = state.streams.get(stream);
  if (!sprint) return [];
  const named = taskId === undefined ? undefined : requireTask(state, { stream, taskId }).task;
  switch (machine) {
    case 'sprint':
      return [{ state: nameOf(sprint.machine.value), who: sprint.id }];
    case 'task':
      return (named ? [named] : [...sprint.tasks.values()]).map(({ id, machine: { value } }) => ({
        state: nameOf(value),
        who: id,
      }));
    case 'request':
      return [...sprint.requests.values()]
        .filter((request) => taskId === undefined || request.taskId === taskId)
        .map(({ id, phase }) => ({ state: phase, who: id }));
  }
}

function taskWithoutSprint(task: string): CliffordError {
  return new CliffordError(`Cannot mark task ${task}: its sprint is not named`, {
    code: 'SPRINT_UNCLEAR',
    fix: `Add --sprint, as in: clifford diagram task --sprint <sprint> --task ${printedWord(task)}`,
  });
}
