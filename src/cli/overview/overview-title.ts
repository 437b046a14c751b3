import { title } from '../../notify/channels/title.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { sprintsIn, type Overview } from '../../views/sprints/overview.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import type { Cli } from '../cli.ts';
import { terminalOf } from '../run/notify-human.ts';

/** The title of the terminal while the overview is there: how many requests wait, or how many sprints are over. */
export type OverviewTitle = {
  readonly show: (overview: Overview) => void;
  /** The terminal is somebody else's, or is there again. */
  readonly onAway: (isAway: boolean) => void;
  /** Takes it back, until there is something to show again. */
  readonly hide: () => void;
};

/** The same, as the configuration of a project wants it: of several, that where the command was typed. */
export async function overviewTitle(
  cli: Cli,
  { root, called }: { readonly root: string; readonly called: string },
): Promise<OverviewTitle> {
  const { config } = await readConfig({ root, env: cli.env, configMemory: cli.configMemory });
  const opened = title.open(config.notify, terminalOf(cli));
  const channel = 'off' in opened ? undefined : opened;
  const name = visibleLine(called);
  let last: Overview | undefined;
  const show = (overview: Overview) => {
    last = overview;
    const sprints = sprintsIn(overview.rows);
    channel?.show?.({
      name,
      open: overview.inbox.length,
      done: sprints.filter(({ runs }) => runs.is === 'over').length,
      total: sprints.length,
      end: undefined,
      stall: undefined,
    });
  };
  return {
    show,
    onAway: (isAway) => {
      if (isAway) channel?.hide?.();
      else if (last) show(last);
    },
    hide: () => channel?.hide?.(),
  };
}
