import { chromiumPath } from '../web/page/browser.ts';

/** What is to be had where there is none. */
const HOW_TO_GET_IT = "no chromium in PATH: install one, e.g. Debian's with: apt-get install chromium";

/**
 * Says that the tests of the page are skipped where there is no browser, which the reporter does not say of a file among many; where
 * everything is to be tested, that is a failure.
 */
export function setup(): void {
  const why = whyNoPage(chromiumPath, process.env['CI']);
  if (why !== undefined) console.warn(why);
}

/**
 * @param ci - `CI`: set where everything is to be tested.
 * @returns What is said; `undefined`: there is a browser.
 * @throws there, where there is none.
 */
export function whyNoPage(path: string | undefined, ci: string | undefined): string | undefined {
  if (path !== undefined) return undefined;
  if (ci !== undefined && ci !== '' && ci !== 'false')
    throw new Error(`Cannot test the page: ${HOW_TO_GET_IT}`);
  return `The tests of the page are skipped: ${HOW_TO_GET_IT}`;
}
