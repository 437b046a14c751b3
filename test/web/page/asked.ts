import type { Browser, Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { approval } from '../../helpers/approval.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { openServed, servePage } from './served-page.ts';

/** Who asks. */
export const agent = { id: 'session-1', client: 'codex' };
/** Who answers elsewhere. */
export const ben = { by: 'ben', via: 'cli' };

/** Asks about task `a` of the sprint `demo`: two options. */
export const askStore = (project: Project, question = 'Which **store** keeps the keys?') =>
  ask(project, {
    stream: 'demo',
    agent,
    kind: 'clarification',
    task: 'a',
    question,
    reason: 'Both would work',
    options: ['A table', 'The column'],
  });

/** Asks for a call about its task `b`. */
export const askCall = (project: Project, args: unknown = { path: 'notes.txt', content: 'hello' }) => {
  const callDigest = digestOf(args);
  return askApproval(project, {
    stream: 'demo',
    taskId: 'b',
    agent,
    approval: { ...approval, args, callDigest },
  });
};

/** Asks for a call of an agent's own tool, about its task `b`; with a `rule`, one that asked. */
export const askOwn = (project: Project, tool: string, args: Approval['args'], rule = approval.rule) =>
  askApproval(project, {
    stream: 'demo',
    taskId: 'b',
    agent,
    approval: { ...approval, server: '@claude', isOwn: true, tool, args, callDigest: digestOf(args), rule },
  });

/** What was answered; `undefined`: nothing yet. */
export const answerTo = (project: Project, id: string) => findRequest(project.state, id).answer;

/** The dialog of the question that is open. */
export const dialogOn = (page: Page) => page.getByRole('dialog');

/** From now on what is posted there is sent on when this is told to. */
export async function holdRequests(page: Page, path: string): Promise<() => void> {
  const { promise: isLet, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(`**/${path}`, async (route) => {
    await isLet;
    await route.continue();
  });
  return letGo;
}

/** A phone with the first of two questions open. */
export async function firstOfTwo(browser: Browser) {
  const { project } = await projectWithSprint();
  await askStore(project, 'The first?');
  await askStore(project, 'The second?');
  const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
  const dialog = dialogOn(page);
  await dialog.getByText('The first?').waitFor();
  return { page, dialog };
}

/** Goes to where a call says that it is to be read, until this can be pressed: what is done before anybody can have seen it is no reading. */
export async function readUntil(dialog: Locator, send: Locator): Promise<void> {
  const leads = ['Read it from its beginning', 'Read it to its end first'].map((name) =>
    dialog.getByRole('button', { name }),
  );
  const isRead = async () => {
    for (const lead of leads)
      if (await lead.isVisible()) await lead.click({ timeout: 1_000 }).catch(() => undefined);
    return send.isEnabled();
  };
  await vi.waitUntil(isRead, { timeout: 60_000, interval: 400 });
}
