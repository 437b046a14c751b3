import { CliffordError } from '../../errors.ts';
import { readConfig, type ConfigReading } from '../../workflow/config/load-config.ts';
import { commandsCalled } from '../../workflow/projects/commands-called.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isHuman } from '../../workflow/project/require-human.ts';
import type { Cli } from '../cli.ts';
import { pageChannel } from '../notify/page-channel.ts';

/** What is called about, and as which configuration says it. */
export type CallsOrder = {
  readonly project: Project;
  /** The terminal is not ours to print on: problems are said when the work is done. */
  readonly isOnScreen: boolean;
  /** Default: as the files are now. */
  readonly reading?: ConfigReading | undefined;
  /** The page is served meanwhile: browsers may ask on it to be called. */
  readonly isPageServed?: boolean | undefined;
  /** Where others see a request, or a sprint, while this goes on. */
  readonly linkTo?: (stream: string, request: string | undefined) => string | undefined;
};

/**
 * Calls people who are elsewhere while `work` goes on, and takes their answers: through `notify.channels` of the
 * configuration. What an agent has started calls nobody, and takes no answer for a human's.
 */
export async function withCalls<T>(cli: Cli, order: CallsOrder, work: () => Promise<T>): Promise<T> {
  const problems: string[] = [];
  const report = (problem: string) => {
    if (order.isOnScreen) problems.push(problem);
    else cli.note(problem);
  };
  const calling = await startCalls(cli, order, report);
  try {
    return await work();
  } finally {
    await calling?.stop();
    problems.forEach(cli.note);
  }
}

async function startCalls(
  cli: Cli,
  { project, reading, linkTo, isPageServed }: CallsOrder,
  report: (problem: string) => void,
): Promise<{ readonly stop: () => Promise<void> } | undefined> {
  const { env, configMemory } = cli;
  const place = { root: project.root, env };
  const now = reading ?? (await readConfig({ ...place, configMemory }));
  if (!isHuman({ env }, project)) return undefined;
  const { notify } = now.config;
  const isConfigured = Object.keys(notify.channels).length > 0;
  const page = await pageOrWhy(
    () => pageChannel(cli, project, notify, { isServed: isPageServed || isConfigured }),
    report,
  );
  if (!isConfigured && page === undefined) return undefined;
  // Few have such channels: what they need is loaded when there is one.
  const [{ openRemotes }, { callPeople }] = await Promise.all([
    import('../../notify/remote/open-channels.ts'),
    import('../../notify/remote/call-people.ts'),
  ]);
  try {
    const opened = await openRemotes(place, now);
    const remotes = opened.flatMap(({ name, way }) => {
      if ('off' in way) report(`notify.channels.${name} is off: ${commandsCalled(cli.called, way.off)}`);
      return 'off' in way ? [] : [way];
    });
    if (page) remotes.push(page);
    return callPeople({ project, env, remotes, report, ...(linkTo === undefined ? {} : { linkTo }) });
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    report(commandsCalled(cli.called, error.inOneLine));
    return undefined;
  }
}

/** Those of the configuration are called all the same. */
async function pageOrWhy<T>(
  open: () => Promise<T>,
  report: (problem: string) => void,
): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    report(error.inOneLine);
    return undefined;
  }
}
