import { viaText } from '../../src/events/answerer.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { ofType } from '../runner/support/acp-sprint.ts';
import { choice, editorSide, openRequest, permission } from '../runner/support/editor-side.ts';
import { inTurn } from './in-turn.ts';
import { didText } from '../../src/workflow/requests/outcome-text.ts';

/** From when on a screen takes a yes, in ms after the call was painted. */
const ARMED_MS = 700;
const rounds = [0, 1, 2, 3, 4, 5];

describeOnEachEngine('an editor', () => {
  it('a prompt that screen, shell and editor answer at once has one answer, and the others are told whose', async () => {
    // An agent that says back what it hears: the editor speaks for it, and hears what it is told.
    const editor = await editorSide(['cat']);
    const project = await editor.project();
    const screen = openPty(process.execPath, [cliFile, 'attach', 'adhoc'], {
      cwd: editor.root,
      columns: 120,
      rows: 40,
      env: { USER: 'eve', XDG_STATE_HOME: `${editor.root}/state` },
    });
    onTestFinished(() => screen.kill());
    await screen.see('outside of any sprint');
    for (const round of rounds) {
      editor.say(permission(round, `npm run ${round}`));
      const prompt = await editor.prompt(round + 1);
      const id = await openRequest(project);
      await screen.see(`npm run ${round}`);
      await screen.see('Y allow once');
      await pause(ARMED_MS);
      const shell = Promise.withResolvers<Awaited<ReturnType<typeof clifford>>>();
      const faces = [
        async () => screen.press('y'),
        async () =>
          shell.resolve(await clifford(['approve', id], { cwd: editor.root, env: { USER: 'bob' } })),
        async () => editor.say(choice(prompt, 'no')),
      ];
      await inTurn(faces, round % faces.length);
      const answer = await project.until((state) => requestById(state, id)?.answer);
      const { via, verdict, by } = answer;
      expect([by, via, verdict]).toEqual(
        {
          tui: ['eve', 'tui', 'approved'],
          cli: ['bob', 'cli', 'approved'],
          editor: ['ada', 'editor', 'denied'],
        }[via],
      );
      // What the agent is told is what the first of them said.
      const told = (await editor.answerTo(round)).result?.outcome?.optionId;
      expect(told).toBe(verdict === 'approved' ? 'yes' : 'no');
      const { code, err } = await shell.promise;
      expect(code).toBe(via === 'cli' ? 0 : 1);
      expect(err).toContain(via === 'cli' ? '' : `${didText({ verdict }, 'it')} ${viaText(via)}`);
      if (via !== 'tui') await screen.see(`, ${viaText(via)}`);
      if (via !== 'editor')
        await editor.hear(() =>
          editor.told().find((text) => text.includes(`${by} allowed it ${viaText(via)}`)),
        );
    }
    const events = await editor.events();
    expect(ofType(events, 'help.requested')).toHaveLength(rounds.length);
    expect(ofType(events, 'help.answered')).toHaveLength(rounds.length);
  });
});
