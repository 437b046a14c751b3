import { expect, it, onTestFinished } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { approval } from '../helpers/approval.ts';
import { cliFile } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { openPty, type PtyScreen } from '../helpers/pty-screen.ts';
import { eventsOf } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

const agent = { id: 'session-1', client: 'opencode' };
const left = '\u001B[D';
const escape = '\u001B';
const ctrlX = '\u0018';
const questionAt = 4;

function openClifford(root: string, ...args: string[]): PtyScreen {
  const screen = openPty(process.execPath, [cliFile, ...args], { cwd: root, columns: 100, rows: 30 });
  onTestFinished(async () => {
    screen.kill();
    await screen.exited;
  });
  return screen;
}

/** A sprint whose agent waits for an answer. */
async function waiting() {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  await ask(project, { stream, agent, kind: 'help', question: 'Which db?', task: 'a' });
  return { root, ...recorded(project) };
}

function recorded(project: Project) {
  const events = () => eventsOf(project);
  return { text: async () => JSON.stringify(await events()), length: async () => (await events()).length };
}

const bar = (version: number | string, length: number) => new RegExp(`event ${version} of ${length}\\b`);

/** Presses what answers, allows, begins or ends something where it is not the past; then goes back an event, to `then`. */
async function pressAll(screen: PtyScreen, then: RegExp): Promise<void> {
  screen.press('y');
  await screen.see('Copied');
  for (const key of 'es1iBRP') screen.press(key);
  await screen.see('This is the past');
  for (const key of [ctrlX, '\r', left]) screen.press(key);
  await screen.see(then);
}

describeOnEachEngine('clifford replay on a terminal, while a question waits', () => {
  it.each([
    { of: 'without --at at its last event', args: [], at: undefined },
    { of: 'with --at before the question', args: ['--at', '2'], at: 2 },
    { of: 'with --at at the question', args: ['--at', String(questionAt)], at: questionAt },
  ])('begins in the past $of, and no key records anything', async ({ args, at }) => {
    const { root, text, length } = await waiting();
    const [before, events] = [await text(), await length()];
    const screen = openClifford(root, 'replay', 'demo', ...args);
    await screen.see(bar(at ?? events, events));
    expect(screen.lines().join('\n')).not.toContain('Enter answer');

    await pressAll(screen, bar((at ?? events) - 1, events));
    expect(screen.lines().join('\n')).not.toContain('> ');
    screen.press('q');
    expect(await screen.exited).toBe(0);
    expect(await text()).toBe(before);
    expect(await length()).toBe(events);
  });

  it('begins in the past of a call that waits, too', async () => {
    const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
    await askApproval(project, { stream, agent, taskId: 'a', approval });
    const { text, length } = recorded(project);
    const [before, events] = [await text(), await length()];
    const screen = openClifford(root, 'replay', 'demo');
    await screen.see(bar(events, events));
    await pressAll(screen, bar(events - 1, events));
    screen.press('q');
    expect(await screen.exited).toBe(0);
    expect(await text()).toBe(before);
  });

  it('leads back to now by L, where the question takes its answer', async () => {
    const { root, text } = await waiting();
    const screen = openClifford(root, 'replay', 'demo', '--at', '1');
    await screen.see('event 1 of');
    screen.press('L');
    await screen.see('Enter answer');
    screen.press('SQLite');
    await screen.see('SQLite');
    screen.press('\r');
    await screen.lose('Enter answer');
    await expect.poll(text).toContain('"SQLite"');
    screen.press('q');
    expect(await screen.exited).toBe(0);
  });
});

describeOnEachEngine('clifford attach, while the box of a question has the keys', () => {
  it('← moves in what is typed; after Esc it leads into the past, which keeps the draft', async () => {
    const { root, length } = await waiting();
    const events = await length();
    const screen = openClifford(root, 'attach');
    await screen.see('Enter answer');
    screen.press('SQLit');
    await screen.see('SQLit');
    screen.press(left);
    screen.press('X');
    await screen.see('SQLiXt');
    expect(screen.lines().join('\n')).not.toMatch(/event \d/);
    screen.press(escape);
    await screen.see('i answer');
    screen.press(left);
    await screen.see(bar(events - 1, events));
    await pressAll(screen, bar(events - 2, events));
    screen.press('L');
    await screen.see('SQLiXt');
    await screen.see('Enter answer');
    screen.press(escape);
    await screen.see('i answer');
    screen.press('q');
    expect(await screen.exited).toBe(0);
    expect(await length()).toBe(events);
  });
});
