import { CliffordError } from '../../errors.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { waitedText } from '../../lib/time/duration.ts';
import { requireHuman } from '../../workflow/project/require-human.ts';
import {
  pushId,
  pushSubscriptions,
  removePushSubscriptions,
  type PushSubscription,
} from '../../workflow/push/push-subscriptions.ts';
import type { Cli } from '../cli.ts';
import { withProject } from '../project/with-project.ts';
import { columns } from '../text/columns.ts';

/** `clifford serve push list`. */
export async function listPushed(cli: Cli, json: boolean): Promise<void> {
  await withProject(cli, async ({ root }) => {
    const browsers = await pushSubscriptions({ root, env: cli.env });
    if (json)
      return cli.printJson(
        browsers.map((each) => ({
          id: pushId(each),
          name: each.name,
          service: serviceOf(each),
          at: each.at,
        })),
      );
    if (browsers.length === 0)
      return cli.say('No browsers are notified. The bell on the page turns that on for one');
    const now = Date.now();
    cli.printLines(
      columns(
        browsers.map((each) => [
          pushId(each),
          visibleLine(each.name ?? 'unknown'),
          `by ${serviceOf(each)}`,
          `since ${waitedText(now - Date.parse(each.at))} ago`,
        ]),
      ),
    );
  });
}

/** `clifford serve push forget`. `id`: as they are listed; `undefined`: all. */
export async function forgetPushed(cli: Cli, id: string | undefined): Promise<void> {
  await withProject(cli, async (project) => {
    requireHuman(cli, 'stop notifying a browser', project);
    const place = { root: project.root, env: cli.env };
    const known = await pushSubscriptions(place);
    if (id !== undefined && !known.some((each) => pushId(each) === id)) throw unknown(id, known);
    const count = await removePushSubscriptions(place, (each) => id === undefined || pushId(each) === id);
    cli.print(
      count === 1
        ? 'forgot 1 browser: it is not notified any more'
        : `forgot ${count} browsers: none is notified any more`,
    );
  });
}

/** Where it is called through. The rest of the address is the browser's own. */
function serviceOf({ endpoint }: PushSubscription): string {
  return visibleLine(URL.parse(endpoint)?.host ?? 'an unknown service');
}

function unknown(id: string, known: readonly PushSubscription[]): CliffordError {
  const ids = known.length === 0 ? 'there are none' : known.map(pushId).join(', ');
  return new CliffordError(`Cannot forget browser ${JSON.stringify(id)}: none has that id`, {
    code: 'BROWSER_UNKNOWN',
    fix: `Those that are notified: ${ids}`,
  });
}
