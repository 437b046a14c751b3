import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '../../../src/workflow/project/project.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { deny } from '../../../src/workflow/requests/approval.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { askCall, askStore, ben, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const words = 'Three sentences of a reason';

/** Has ben answer what is asked. */
type Answering = () => Promise<unknown>;

async function question(project: Project): Promise<Answering> {
  const { id } = await askStore(project);
  return () => answerRequest(project, id, { response: 'A table', ...ben });
}

async function call(project: Project, path = 'notes.txt'): Promise<Answering> {
  const { id } = await askCall(project, { path });
  return () => deny(project, id, { reason: 'mine', ...ben });
}

async function alike(project: Project): Promise<Answering> {
  const answering = [await call(project, 'one.txt'), await call(project, 'two.txt')];
  return async () => {
    for (const answer of answering) await answer();
  };
}

describe.skipIf(chromiumPath === undefined)('a reason that is written while somebody else is first', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const press = (dialog: Locator, name: string) => dialog.getByRole('button', { name }).click();

  it.each([
    ['to reject a question', question, ['Reject…'], 'Why it is rejected'],
    ['to have it rephrased', question, ['Rephrase…'], 'What is not clear'],
    ['to dismiss it', question, ['Dismiss…'], 'Why, if you like'],
    ['to deny a call', call, ['Deny…'], 'Why, for the agent'],
    ['to ask about it', call, ['Ask why…'], 'Your question'],
    ['to deny several', alike, ['Both like it…', 'Deny both…'], 'Why, for their agents'],
  ] as const)('stays to be read, %s', async (_what, has, ways, label) => {
    const { project } = await projectWithSprint();
    const answer = await has(project);
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    for (const way of ways) await press(dialog, way);
    const field = dialog.getByLabel(label);
    await field.fill(words);
    await answer();
    await dialog.getByText('ben was first').waitFor();
    expect(await field.inputValue()).toBe(words);
    expect(await field.isEditable()).toBe(false);
    expect(await barriersOn(page)).toEqual([]);
    await press(dialog, 'Close');
    await dialog.waitFor({ state: 'detached' });
  });
});
