import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebServer } from '../../../src/web/server/web-server.ts';
import { castLine } from '../../../src/workflow/transcripts/cast.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { agentAtWork } from '../../helpers/agent-at-work.ts';
import { on } from '../../helpers/history.ts';
import { servedEverywhere } from '../../helpers/served-everywhere.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { gitIn, makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { askStore, ben, dialogOn } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { built, openServed, servePage } from './served-page.ts';

/** What would be elements, a dialog and a request, were it no text. */
const markup = (where: string) =>
  `<b>${where}</b><img src=x onerror="alert('${where}')"><script>alert('${where}')</script>`;
/** The same, as a file may be called. */
const fileName = `<b>file<img src=x onerror="alert('file')">.ts`;

describe.skipIf(chromiumPath === undefined)('markup from agents', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(withoutGitConfig);

  /** A page, and all that was made of markup on it: elements, dialogs, requests and complaints. */
  async function watched(server: Pick<WebServer, 'url' | 'token'>, place = '') {
    const { page, complaints } = await openServed(browser, server, { place });
    const made: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(server.url) || url.endsWith('/x')) made.push(url);
    });
    page.on('dialog', (dialog) => {
      made.push(dialog.message());
      void dialog.dismiss();
    });
    const elements = page.locator('body').locator('b, script, iframe, img:not([src="./icon.svg"])');
    /** Waits until these stand there as they were written. */
    const shows = async (texts: readonly string[]) => {
      for (const text of texts)
        await expect.poll(() => page.locator('body').innerText(), { message: text }).toContain(text);
      made.push(...(await elements.allInnerTexts()).map((text) => `an element: ${text}`));
    };
    return { page, shows, made: () => [...made, ...complaints] };
  }

  it('is text in what one writes, calls, changes, remarks, answers and the end of its sprint', async () => {
    const { root, project } = await projectWithSprint();
    makeRepository(root);
    const git = gitIn(root);
    git.write({ [fileName]: `${markup('before')}\n` });
    git.commitAll();
    const transcript = await agentAtWork({ root, project }, { adapter: 'claude-code' });
    const lines = [markup('prose'), `▸ Bash ${markup('ran')}`, '```', markup('code'), '```'];
    await appendFile(transcript, castLine([1, 'o', `${lines.join('\r\n')}\r\n`]));
    await writeFile(join(root, fileName), `${markup('after')}\n`);
    await project.record('demo', [
      on('demo/a', 'tool.requested', {
        callId: 'c-1',
        server: '@claude',
        tool: markup('tool'),
        args: { [markup('key')]: markup('value') },
      }),
      on('demo/a', 'tool.allowed', { callId: 'c-1' }),
      on('demo/a', 'tool.failed', { callId: 'c-1', error: markup('error') }),
      on('demo/a', 'task.noted', { text: markup('remark') }),
    ]);
    const { page, shows, made } = await watched(await servePage(project), 's=demo&task=a&view=output');
    await shows(['prose', 'ran', 'code'].map(markup));
    const look = (view: string) => page.evaluate(`location.hash = 's=demo&task=a&view=${view}'`);
    await look('calls');
    await page.getByRole('tabpanel', { name: 'Calls' }).locator('summary').first().click();
    await shows(['tool', 'key', 'value', 'error'].map(markup));
    await look('changes');
    await shows([fileName, ...['before', 'after'].map(markup)]);
    await look('events');
    await shows([markup('remark')]);

    const first = await askStore(project, 'The first?');
    await askStore(project, 'The second?');
    const dialog = dialogOn(page);
    await dialog.getByText('The first?').waitFor();
    await answerRequest(project, first.id, { ...ben, response: markup('theirs') });
    await dialog.getByText('The second?').waitFor();
    await shows([markup('theirs').slice(0, 60)]);
    await dialog.getByLabel('Or in your own words').fill(markup('ours'));
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.waitFor({ state: 'detached' });
    await shows([markup('ours').slice(0, 60)]);

    await project.record('demo', [
      on('demo/a', 'task.completed', { summary: markup('summary') }),
      on('demo/b', 'task.skipped', { reason: markup('reason') }),
      on('demo', 'sprint.completed', { summary: markup('end') }),
    ]);
    await look('events');
    await shows(['summary', 'reason'].map(markup));
    await page.evaluate("location.hash = 's=demo&view=events'");
    await shows([markup('end')]);
    await page.evaluate("location.hash = 's=demo'");
    await page.getByText('Decided').waitFor();
    await shows(['theirs', 'ours'].map(markup));
    expect(made()).toEqual([]);
  });

  it('is text in the title and the text of a task', async () => {
    const { dir, project } = await projectWithSprint();
    const lines = [
      `# ${markup('title')}`,
      '',
      markup('text'),
      '',
      `- [ ] ${markup('point')}`,
      '',
      '```',
      markup('block'),
      '```',
    ];
    await writeFile(join(dir, 'a.md'), lines.join('\n'));
    const { page, shows, made } = await watched(await servePage(project), 's=demo');
    await shows([markup('title')]);
    await page.evaluate("location.hash = 's=demo&task=a&view=task'");
    await shows(['title', 'text', 'point', 'block'].map(markup));
    expect(made()).toEqual([]);
  });

  it('is text in the list of all projects', async () => {
    const { root, project } = await projectWithSprint();
    const all = await servedEverywhere(
      [
        { name: markup('name'), root },
        { name: 'gone', root: join(root, markup('gone')) },
      ],
      { pageFolder: built },
    );
    await askStore(project, markup('question'));
    const { shows, made } = await watched(all.server);
    await shows(['name', 'gone', 'question'].map(markup));
    expect(made()).toEqual([]);
  });
});
