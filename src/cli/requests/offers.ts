import type { RequestState } from '../../machines/project-state.ts';
import type { CommandParts } from '../../workflow/policy/command-parts.ts';
import type { Offers } from '../../views/calls/call-card.ts';
import type { QuestionView } from '../../views/requests/question-view.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { Cli } from '../cli.ts';

type Waiting = readonly Pick<RequestState, 'id'>[];

/** Finds what the cards of calls that wait offer. Most questions are about no call: what finds it is loaded when one is. */
export function offersIn({ env }: Pick<Cli, 'env'>, project: Project): (waiting: Waiting) => Promise<Offers> {
  return async (waiting) => {
    if (waiting.length === 0) return new Map();
    const { offersFor } = await import('../../gateway/backtest/offers-for.ts');
    return offersFor(project, waiting, env);
  };
}

/**
 * Takes the commands of calls that wait apart, by the policy as it holds from here on. What does is loaded when a call waits.
 */
export function partsIn({ env }: Pick<Cli, 'env'>, project: Project) {
  const held = import('../../gateway/permission/held-policy.ts').then(async ({ HeldPolicy }) => {
    const policy = new HeldPolicy({ root: project.root, env });
    await policy.begin();
    return policy;
  });
  // Who asks for parts is told.
  held.catch(() => undefined);
  return async (waiting: readonly RequestState[]): Promise<ReadonlyMap<string, CommandParts>> => {
    const { commandParts } = await import('../../gateway/permission/command-parts.ts');
    return commandParts(project, waiting, await held);
  };
}

/** Questions, those of calls that wait with what their cards offer, and their commands taken apart. */
export async function withOffers(
  cli: Pick<Cli, 'env'>,
  project: Project,
  questions: readonly QuestionView[],
): Promise<readonly QuestionView[]> {
  const waiting = questions.filter(({ phase, approval }) => phase === 'open' && approval);
  if (waiting.length === 0) return questions;
  const requests = waiting.flatMap(({ id }) => requestById(project.state, id) ?? []);
  const [offers, commands] = await Promise.all([
    offersIn(cli, project)(waiting),
    // Without them it is still shown whole.
    partsIn(cli, project)(requests).catch((): ReadonlyMap<string, CommandParts> => new Map()),
  ]);
  return questions.map((question) => {
    const offer = offers.get(question.id);
    const command = commands.get(question.id);
    return { ...question, ...(offer && { offer }), ...(command && { command }) };
  });
}
