import { taskKeys } from '../../workflow/config/config-schema.ts';
import { requireProjectRoot } from '../../workflow/project/project-root.ts';
import type { Cli } from '../cli.ts';
import { requireConfig } from '../input/require-config.ts';
import type { RunOrder } from './run-order.ts';

/** What a person says about a run; all of it has a default. */
export type RunWish = {
  agent?: string;
  agentCmd?: string;
  agentVia?: RunOrder['options']['agentVia'];
  model?: string;
  maxAttempts?: number;
  parallel?: number;
  wait?: boolean;
  failFast?: boolean;
  despiteLimit?: boolean;
  acceptCommands?: boolean;
  /** How the page is served meanwhile. */
  page?: RunOrder['page'];
  /** Where metrics are served meanwhile. */
  metrics?: RunOrder['metrics'];
};

/**
 * The order for a run of a sprint, by what a person says and the configuration does.
 *
 * @throws {CliffordError} `NO_PROJECT`; what is wrong with the configuration, where it matters.
 */
export async function orderRun(cli: Cli, sprint: string | undefined, wish: RunWish): Promise<RunOrder> {
  const { acceptCommands: accepts = false, wait = true, page, metrics, ...rest } = wish;
  const { agent, agentCmd, agentVia, model, maxAttempts, parallel, failFast, despiteLimit } = rest;
  const root = requireProjectRoot(cli);
  const isChosen = agent !== undefined || agentCmd !== undefined;
  const given = [
    ...(isChosen ? ['agent', 'agentCmd'] : []),
    ...(model === undefined ? [] : ['model']),
    ...(parallel === undefined ? [] : ['parallel']),
  ];
  const matters = [...Object.keys(taskKeys), 'parallel', 'worktrees'];
  const reading = await requireConfig(cli, root, (key) => matters.includes(key) && !given.includes(key));
  return {
    root,
    sprint,
    page,
    metrics,
    options: { agent, agentCmd, agentVia, model, maxAttempts, parallel, wait, failFast, despiteLimit },
    configured: { reading, accepts },
  };
}
