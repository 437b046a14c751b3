import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { approval } from '../../helpers/approval.ts';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

const escape = '\u001B';
const ctrlC = '\u0003';
const agent = { id: 'session-1', client: 'opencode' };
const question = { question: 'Which?', options: ['The old one', 'The new one'] };
/** Ms between both writes; `undefined`: it is one. */
const pauses = [undefined, 5, 10, 15, 20, 25, 30, 40, 50];

// Which of both is meant, Esc and then the key, or Alt and the key, is said where time is under control: show-sprint.test.ts.
it.each([
  [
    'y on the card of a call',
    'y',
    { asked: 'call', begin: /^ Y allow once/m, lead: '', at: /^ Y allow once/m },
  ],
  [
    '2 where it is asked how far a yes goes',
    '2',
    { asked: 'call', begin: /^ Y allow once/m, lead: 'a', at: /^ 2 sprint/m },
  ],
  [
    'Enter where an option is picked',
    '\r',
    { asked: 'question', begin: /^ Enter answer/m, lead: `${escape}[B`, at: /›1 {2}The old one/ },
  ],
] as const)(
  'Esc and a key decide nothing, however soon it comes: %s',
  async (_what, key, { asked, begin, lead, at }) => {
    const { root, project, stream } = await projectWithSprint();
    const { id } =
      asked === 'call'
        ? await askApproval(project, { stream, agent, approval })
        : await ask(project, { stream, agent, kind: 'help', ...question });
    const screen = openPty(process.execPath, [cliFile, 'attach'], { cwd: root });
    onTestFinished(screen.kill);
    const phase = async () => (await project.refresh()).streams.get(stream)?.requests.get(id)?.phase;
    const shows = (text: RegExp) => text.test(screen.lines().join('\n'));
    await screen.see(begin);
    for (const ms of pauses) {
      if (!shows(at)) screen.press(lead);
      await screen.see(at);
      // Nothing was pressed for a while.
      await setTimeout(100);
      screen.send(ms === undefined ? escape + key : escape);
      if (ms !== undefined) await setTimeout(ms).then(() => screen.send(key));
      await setTimeout(200);
      expect([ms, await phase()]).toEqual([ms, 'open']);
      // Back, from wherever that has led.
      if (shows(/\^C clear/)) screen.press(ctrlC);
      if (shows(/^ i (?:decide|answer)/m)) screen.press('i');
      await screen.becomes(() => shows(begin) || shows(at));
    }
    // It takes them where they come alone.
    if (!shows(at)) screen.press(lead);
    await screen.see(at);
    await setTimeout(100);
    screen.press(key);
    await vi.waitFor(async () => expect(await phase()).not.toBe('open'), { timeout: 10_000 });
  },
);
