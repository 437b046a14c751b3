import { CliffordError } from '../errors.ts';
import type { RequestState } from '../machines/project-state.ts';
import type { Agent } from '../workflow/agent.ts';
import type { AgentContext } from '../workflow/agent-context.ts';
import { enterChosenSprint } from '../workflow/choose-sprint.ts';
import { homeStream } from '../workflow/home-stream.ts';
import { ownTask } from '../workflow/own-task.ts';
import type { Project } from '../workflow/project.ts';
import { ask } from '../workflow/requests/ask.ts';
import type { Question } from '../workflow/requests/ask.ts';
import type { Cli } from './cli.ts';
import type { AskOptions } from './commands/ask.ts';
import { readText } from './read-text.ts';

/**
 * The question of a command line. One with options is a clarification.
 *
 * @throws {CliffordError} `QUESTION_MISSING` when there is none, or only blanks.
 */
export async function readQuestion(cli: Cli, options: AskOptions): Promise<Question> {
  const { task, reason, context, option: choices = [] } = options;
  const question = (await readText(cli, options.question ?? '')).trim();
  if (question === '') throw noQuestion();
  return {
    kind: choices.length === 0 ? 'help' : 'clarification',
    question,
    ...(task === undefined ? {} : { task }),
    ...(reason === undefined ? {} : { reason }),
    ...(context === undefined ? {} : { context }),
    ...(choices.length === 0 ? {} : { options: [...choices] }),
  };
}

/** Puts a question where it belongs: about the task it names, else about the one its agent works on. */
export async function putQuestion(
  project: Project,
  {
    sprint,
    agent,
    context: surroundings,
    question,
  }: { sprint: string | undefined; agent: Agent; context: AgentContext; question: Question },
): Promise<RequestState> {
  const stream =
    sprint === undefined
      ? await homeStream(project, agent, surroundings)
      : await enterChosenSprint(project, sprint);
  const own = ownTask(project.state, agent, surroundings);
  const task = question.task ?? (own?.sprint.id === stream ? own.task.id : undefined);
  return ask(project, { ...question, ...(task === undefined ? {} : { task }), stream, agent });
}

function noQuestion(): CliffordError {
  return new CliffordError('Cannot ask: there is no question', {
    code: 'QUESTION_MISSING',
    fix: 'Give one with --question "…", or go on waiting for one with --request <id>',
    recovery: 'fix-input',
  });
}
