import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { askCall, askOwn, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('the card of a command', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** The dialog of a call that runs a command, where the policy lets `npm` run. */
  async function shown(args: Approval['args']) {
    const { root, project } = await projectWithSprint();
    const rules = [{ command: { startsWith: 'npm' }, decision: 'allow' }];
    await writeFile(join(root, 'mcp.json'), JSON.stringify({ servers: {}, policy: { agents: { rules } } }));
    await askOwn(project, 'execute', args, 'agents.ask what-matters');
    const env = { HOME: root, CLIFFORD_TRUST_PROJECT: '1' };
    const { page } = await openServed(browser, await servePage(project, { env }), { size: 'phone' });
    const card = dialogOn(page).locator('.call');
    await card.getByText('agents.ask what-matters').first().waitFor();
    return { page, card, command: card.getByRole('region', { name: 'The command' }) };
  }

  it('begins with the command, whole and on its lines, and says it once', async () => {
    const { page, card, command } = await shown({ command: 'make all\nmake install', timeout: 5 });
    expect(await page.evaluate("document.querySelector('.call').firstElementChild.className")).toBe(
      'command',
    );
    expect(await command.locator('.code-line').allTextContents()).toEqual(['make all', 'make install']);
    const font = "getComputedStyle(document.querySelector('.command pre')).fontFamily";
    expect(await page.evaluate(font)).toContain('monospace');
    expect(await card.getByText('make install').count()).toBe(1);
    expect(await card.locator('.arguments dt').allTextContents()).toEqual(['timeout']);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('says before the command what its agent says of it, once, and as its words', async () => {
    const { page, card, command } = await shown({ command: 'make', description: 'Build it', timeout: 5 });
    const said = card.getByText('Its agent says');
    const [above, below] = [await said.boundingBox(), await command.boundingBox()];
    expect((above?.y ?? Infinity) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    expect(await card.locator('q').allTextContents()).toEqual(['Build it']);
    expect(await card.locator('.arguments dt').allTextContents()).toEqual(['timeout']);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('has what would push the command out of sight among the arguments', async () => {
    const { card } = await shown({ command: 'make', description: 'Build it. '.repeat(30) });
    expect(await card.getByText('Its agent says').count()).toBe(0);
    expect(await card.locator('.arguments dt').allTextContents()).toEqual(['description']);
  });

  it('has what decides in sight, however low the window is', async () => {
    const { project } = await projectWithSprint();
    await askOwn(project, 'edit', { path: 'a.txt', content: 'x\n'.repeat(200) });
    const { page } = await openServed(browser, await servePage(project));
    const deny = dialogOn(page).getByRole('button', { name: 'Deny…' });
    await deny.waitFor();
    for (const [width, height] of [
      [853, 480],
      [844, 390],
      [1_280, 640],
      [1_280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      const box = await deny.boundingBox();
      const isIn = (box?.y ?? Infinity) + (box?.height ?? 0) <= height;
      expect([width, height, isIn]).toEqual([width, height, true]);
    }
  });

  it('takes no words of a tool of a server for words of an agent', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { path: 'notes.txt', content: 'one\ntwo\n', description: 'Harmless' });
    const { page } = await openServed(browser, await servePage(project));
    await dialogOn(page).getByText('Harmless').waitFor();
    expect(await page.getByText('Its agent says').count()).toBe(0);
    expect(await dialogOn(page).getByText('Harmless').count()).toBe(1);
  });

  it('is not taken apart where the policy says the same of all of it', async () => {
    const { command } = await shown({ command: 'make all && make install' });
    expect(await command.locator('.command-parts').count()).toBe(0);
    expect(await command.getByText('asks').count()).toBe(0);
  });

  it('is taken apart where the policy lets a part of it run, and says what it says of each', async () => {
    const { command } = await shown({ command: 'npm test && make install' });
    await command.locator('.command-parts').waitFor();
    expect(await command.locator('.command-parts li').allTextContents()).toEqual([
      expect.stringMatching(/^npm testallowed: /),
      'make installasks: agents.ask what-matters',
    ]);
  });

  it('marks the parts that destroy something or send it out, with words, and nothing else', async () => {
    const { page, command } = await shown({ command: 'make all && rm -rf dist && git push origin main' });
    await command.locator('.command-parts').waitFor();
    expect(await command.locator('.command-parts li').allTextContents()).toEqual([
      'make all',
      'rm -rf dist may destroy',
      'git push origin main sends something out',
    ]);
    expect(await command.locator('.command-risk svg').count()).toBe(2);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('marks a command that is alone without saying it twice', async () => {
    const { command } = await shown({ command: 'rm -rf dist' });
    await command.getByText('may destroy').waitFor();
    expect(await command.locator('.command-parts').count()).toBe(0);
  });

  it('says which files it writes', async () => {
    const { command } = await shown({ command: 'make all > out/build.log' });
    expect(await command.locator('.command-parts li').allTextContents()).toEqual(['writes out/build.log']);
  });

  it('has its parts alone where the line stands in several arguments', async () => {
    const { command } = await shown({ command: ['make', 'all'] });
    await command.locator('.command-parts').waitFor();
    expect(await command.locator('pre').count()).toBe(0);
  });
});
