import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { clifford, startClifford } from '../../helpers/clifford-process.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';
import { dialogOn } from '../../web/page/asked.ts';
import { chromiumPath, openPage, startBrowser } from '../../web/page/browser.ts';

const missing = chromiumPath === undefined ? 'there is no browser' : undefined;

describeWithNats(
  'the page of a project whose log is on a server',
  (server) => {
    it('answers what was asked from another folder, and shows what becomes of it there', async () => {
      const log = { url: `nats://${server.address}/${randomUUID()}` };
      const [here, there] = [await tempRoot(), await tempRoot()];
      for (const root of [here, there]) {
        await writeSprint(root, { tasks: ['a'] });
        await writeConfig(join(root, 'clifford.json'), { log });
      }
      const serving = startClifford(['serve', '--port', '0', '--json'], { cwd: here });
      const { url, token } = JSON.parse(String(await serving.printed(/^\{.*\}$/m))) as Record<string, string>;
      const browser = await startBrowser();
      onTestFinished(() => browser.close());
      const { page } = await openPage(browser, { size: 'phone' });
      await page.goto(`${url}#t=${token}`);
      await page.getByText('Nothing waits for you').waitFor();

      const asking = startClifford(['ask', '--question', 'Which port?'], { cwd: there });
      await dialogOn(page).getByText('Which port?').waitFor();
      await dialogOn(page).getByRole('textbox').fill('8080');
      await dialogOn(page).getByRole('button', { name: 'Answer' }).tap();
      expect(await asking.ended).toMatchObject({ code: 0, out: expect.stringContaining('8080') });

      const next = startClifford(['ask', '--question', 'And which host?'], { cwd: there });
      await dialogOn(page).getByText('And which host?').waitFor();
      expect((await clifford(['answer', 'last', 'localhost'], { cwd: there })).code).toBe(0);
      expect((await next.ended).code).toBe(0);
      await page.getByText('ada in the shell: localhost').waitFor();
    });
  },
  { missing },
);
