import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';

/** A Chromium with all that a person's has, by its path, e.g. notifications; `undefined`: none is installed. */
export const wholeChromiumPath = inPath('chromium', 'chromium-browser', 'google-chrome');

/** The one that pages are tested in: if there is one without a window, it takes half of the time for the same. */
export const chromiumPath = inPath('chromium-headless-shell') ?? wholeChromiumPath;

/** Sizes that pages are looked at in, in pixels. */
export const sizes = {
  phone: { width: 360, height: 740 },
  tablet: { width: 820, height: 1_180 },
  desktop: { width: 1_440, height: 900 },
} as const;

/** How a page is opened. */
export type PageOptions = {
  readonly size?: keyof typeof sizes;
  readonly theme?: 'light' | 'dark';
  /** Whoever looks at it wants things to move: it scrolls smoothly. */
  readonly wantsMotion?: boolean;
  /** Its service worker loads nothing ahead, and keeps nothing. */
  readonly hasNoWorker?: boolean;
};

/**
 * Starts a browser, with these variables beside those of the tests. Close it.
 *
 * @param isWhole - It has all that a person's has.
 * @param hasScrollBars - They take room from what scrolls, as on most desktops.
 */
export function startBrowser(
  env: Readonly<Record<string, string>> = {},
  { isWhole = false, hasScrollBars = false } = {},
): Promise<Browser> {
  const executablePath = isWhole ? wholeChromiumPath : chromiumPath;
  return chromium.launch({
    ...(hasScrollBars ? { ignoreDefaultArgs: ['--hide-scrollbars'] } : {}),
    env: { ...process.env, ...env },
    ...(executablePath === undefined ? {} : { executablePath }),
    // As root it has no sandbox, and it is to talk to nobody.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
}

/** What a page complained of: errors in its scripts, and what its policy has refused. */
export type Complaints = readonly string[];

/** A page, in a profile of its own. */
export type OpenPage = {
  readonly page: Page;
  readonly complaints: Complaints;
  readonly close: () => Promise<void>;
};

/** Opens an empty page. Close it. */
export async function openPage(
  browser: Browser,
  { size = 'desktop', theme = 'light', wantsMotion = false, hasNoWorker = false }: PageOptions = {},
): Promise<OpenPage> {
  const isPhone = size === 'phone';
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    hasTouch: isPhone,
    isMobile: isPhone,
    serviceWorkers: hasNoWorker ? 'block' : 'allow',
    reducedMotion: wantsMotion ? 'no-preference' : 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // That a request was refused is what some tests are about.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  const close = async () => {
    // What is under way is nobody's error.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  return { page, complaints, close };
}

/** What axe has to say about a page, a line for each kind of barrier. */
export async function barriersOn(page: Page): Promise<string[]> {
  // A policy lets no script be added to the page: it is evaluated, which no policy is asked about.
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  );
}

/** The first of these programs that is installed, by its path. */
function inPath(...names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there.
    return false;
  }
}
