import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lastPresence } from '../../../src/workflow/project/presence.ts';
import { pushSubscriptions } from '../../../src/workflow/push/push-subscriptions.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { pushedBrowser } from '../../notify/remote/support/push-service.ts';
import { askStore, dialogOn } from './asked.ts';
import { barriersOn, openPage, startBrowser, wholeChromiumPath } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const { subscription } = pushedBrowser('https://fcm.googleapis.com');

/** Stands in for the browser's own push service, which is not to be reached from here. It keeps what it was asked with. */
const ownPush = `
  let current = null;
  const made = { ...${JSON.stringify(subscription)}, toJSON: () => (${JSON.stringify(subscription)}),
    unsubscribe: async () => { current = null; return true; } };
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async (options) => { window.askedWith = options; return (current = made); };
`;

describe.skipIf(wholeChromiumPath === undefined)('the page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser({}, { isWhole: true });
  });
  afterAll(() => browser.close());

  it('says that somebody is there while it is used, and not because it is open', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true }))`);
    expect(lastPresence(project.dir)).toBeUndefined();
    await page.keyboard.press('Shift');
    await expect.poll(() => lastPresence(project.dir)).toBeGreaterThan(Date.now() - 60_000);
  });

  async function bellOf(permissions: string[], before?: (page: Page) => Promise<unknown>) {
    const { root, project } = await projectWithSprint();
    const home = await tempRoot();
    const env = { HOME: home, XDG_STATE_HOME: home };
    const server = await servePage(project, { env });
    const { page, complaints, close } = await openPage(browser);
    onTestFinished(close);
    await page.context().grantPermissions(permissions, { origin: server.url.replace(/\/$/, '') });
    await page.addInitScript(ownPush);
    await before?.(page);
    await page.goto(`${server.url}#t=${server.token}&s=demo`);
    const bell = page.getByRole('button', { name: 'Notify me in this browser' });
    const known = async () => (await pushSubscriptions({ root, env })).map(({ endpoint }) => endpoint);
    return { project, page, bell, known, complaints, server };
  }

  it('has this browser called where its human wants that, and no longer', async () => {
    const { page, bell, known, complaints } = await bellOf(['notifications']);
    await bell.waitFor();
    expect(await bell.getAttribute('aria-pressed')).toBe('false');
    expect(await known()).toEqual([]);
    await bell.click();
    await page.getByText('This browser is notified when something waits').waitFor();
    expect(await bell.getAttribute('aria-pressed')).toBe('true');
    expect(await known()).toEqual([subscription.endpoint]);
    expect(await page.evaluate('askedWith.userVisibleOnly && askedWith.applicationServerKey.length')).toBe(
      87,
    );
    expect(await barriersOn(page)).toEqual([]);
    await bell.click();
    await page.getByText('This browser is notified no longer').waitFor();
    expect(await known()).toEqual([]);
    expect(await bell.getAttribute('aria-pressed')).toBe('false');
    expect(complaints).toEqual([]);
  });

  it('has its bell also where that could not be loaded at first', async () => {
    const { bell } = await bellOf(['notifications'], (page) =>
      page.route('**/push-switch*', (route) => route.abort(), { times: 1 }),
    );
    await bell.waitFor();
    expect(await bell.getAttribute('aria-pressed')).toBe('false');
  });

  it('asks for permission when the bell is pressed, and says so where it is refused', async () => {
    const { page, bell, known } = await bellOf([]);
    await bell.click();
    await page.getByText('This browser may not show notifications').waitFor();
    expect(await known()).toEqual([]);
  });

  it.each([
    ['NotAllowedError', 'This browser notifies no private window: open the page in another one'],
    ['AbortError', 'This browser could not reach its push service: try it again later'],
  ])('says why a browser that may notify does not: %s', async (name, said) => {
    const { page, bell, known } = await bellOf(['notifications']);
    await bell.waitFor();
    await page.evaluate(
      `PushManager.prototype.subscribe = async () => { throw new DOMException('Registration failed', '${name}'); }`,
    );
    await bell.click();
    await page.getByText(said).waitFor();
    expect(await bell.getAttribute('aria-pressed')).toBe('false');
    expect(await known()).toEqual([]);
  });

  it('shows what it is called with, though no page is open', async () => {
    const { page, bell, server } = await bellOf(['notifications']);
    await bell.waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const [worker] = page.context().serviceWorkers();
    // A browser forgets a notification that is asked for while it comes up.
    await worker?.evaluate(`
      const show = registration.showNotification.bind(registration);
      self.isShown = new Promise((resolve) => {
        registration.showNotification = (...how) => {
          const shown = show(...how);
          resolve(shown);
          return shown;
        };
      });
      undefined;
    `);
    await deliver(page, server.url, { title: 'A question', body: 'Which store?', question: 'q-1' });
    const shown = await worker?.evaluate(`self.isShown.then(() => registration.getNotifications())
      .then((all) => all.map(({ title, body, data }) => ({ title, body, data })))`);
    expect(shown).toEqual([{ title: 'A question', body: 'Which store?', data: { question: 'q-1' } }]);
  });

  it('leads to the question when its notification is pressed: on the page that is open, else on a new one', async () => {
    const { project, page, bell, server } = await bellOf(['notifications']);
    await bell.waitFor();
    await askStore(project);
    const { id } = await askStore(project, 'Which port?');
    await dialogOn(page).getByText('keeps the keys').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    const [worker] = page.context().serviceWorkers();
    const presses = () => worker?.evaluate<unknown>(pressed(id));
    expect(await presses()).toEqual([]);
    await dialogOn(page).getByText('Which port?').waitFor();
    await page.goto(`${server.url}api/unknown`);
    expect(await presses()).toEqual([`./#q=${id}`]);
  });
});

/**
 * Shows the notification of a question and presses it, in the worker: the addresses that it opens. A browser lets a page be opened, or
 * come to the front, by a human's press alone, which this is not: that much is stood in for.
 */
const pressed = (question: string) => `(async () => {
  await registration.showNotification('A question', { data: { question: '${question}' } });
  const [notification] = await registration.getNotifications();
  const opened = [];
  clients.openWindow = async (address) => void opened.push(address);
  WindowClient.prototype.focus = async function () { return this; };
  const press = new NotificationEvent('notificationclick', { notification });
  const under = [];
  press.waitUntil = (promise) => under.push(promise);
  dispatchEvent(press);
  await Promise.all(under);
  const left = await registration.getNotifications();
  return [...opened, ...left.map(({ title }) => title + ' is still shown')];
})()`;

/** Has the browser hand a message to the service worker of a page, as if a push service had sent it. */
async function deliver(page: Page, origin: string, data: object): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [first] = registrations;
    if (first) registered.resolve(first.registrationId);
  });
  await cdp.send('ServiceWorker.enable');
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: origin.replace(/\/$/, ''),
    registrationId: await registered.promise,
    data: JSON.stringify(data),
  });
}
