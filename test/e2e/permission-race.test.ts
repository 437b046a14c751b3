import { viaText } from '../../src/events/answerer.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { requestById } from '../../src/workflow/requests/find-request.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import type { Ended } from '../helpers/ended-process.ts';
import { killAll, processesOf } from '../helpers/project-processes.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { eventsOf } from '../helpers/sprint-run.ts';
import { acpSprint, ofType, openCall } from '../runner/support/acp-sprint.ts';
import { startSignalProcess } from '../signals/support/signal-process.ts';
import { inTurn } from './in-turn.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { didText } from '../../src/workflow/requests/outcome-text.ts';

/** From when on a screen takes a yes, in ms after the call was painted. */
const ARMED_MS = 700;
const rounds = [0, 1, 2, 3, 4, 5];

type Via = 'tui' | 'cli' | 'file';

/** Who was first with this request, and what everybody else was to be told. */
async function winnerOf(project: Project, id: string) {
  const ended = await project.until((state) => {
    const request = requestById(state, id);
    return request?.phase === 'open' ? undefined : request?.answer;
  });
  return { via: ended.via as Via, verdict: ended.verdict };
}

describeOnEachEngine('a race', () => {
  it('a prompt for permission that screen, shell and file answer at once has one answer, and the others are told whose', async () => {
    const { root, project } = await acpSprint(
      rounds.flatMap((round) => [
        { run: `echo ${round} >> ran` },
        // A card that comes by itself takes away what became of the one before.
        { run: `until [ -e seen-${round} ]; do sleep 0.05; done`, unasked: true },
      ]),
    );
    const files = startSignalProcess(root);
    const env = { USER: 'ada' };
    const screen = openPty(process.execPath, [cliFile, 'run', 'demo', '--exit'], {
      cwd: root,
      columns: 120,
      rows: 40,
      env,
    });
    onTestFinished(async () => {
      screen.kill();
      killAll(await processesOf(root, ''));
    });
    await files.ready;
    const response = join(root, '.clifford/mcp-response.json');
    const won = { tui: 0, cli: 0, file: 0 };
    const allowed: string[] = [];
    for (const round of rounds) {
      const id = await openCall(project);
      await screen.see(`echo ${round} >> ran`);
      await screen.see('Y allow once');
      await pause(ARMED_MS);
      const shell = Promise.withResolvers<Ended>();
      const faces = [
        async () => screen.press('y'),
        async () => shell.resolve(await clifford(['approve', id], { cwd: root, env: { USER: 'bob' } })),
        () => writeFile(response, JSON.stringify({ response: 'no: not by a file', requestId: id })),
      ];
      await inTurn(faces, round % faces.length);
      const winner = await winnerOf(project, id);
      won[winner.via] += 1;
      expect(winner.verdict).toBe(winner.via === 'file' ? 'denied' : 'approved');
      if (winner.verdict === 'approved') allowed.push(String(round));
      const { code, err } = await shell.promise;
      expect(code).toBe(winner.via === 'cli' ? 0 : 1);
      expect(err).toContain(winner.via === 'cli' ? '' : `${didText(winner, 'it')} ${viaText(winner.via)}`);
      if (winner.via !== 'tui') await screen.see(`, ${viaText(winner.via)}`);
      await writeFile(join(root, `seen-${round}`), '');
      const lostFiles = round + 1 - won.file;
      await expect
        .poll(async () => ofType(await eventsOf(project), 'signal.rejected').length)
        .toBe(lostFiles);
    }
    expect(await screen.exited).toBe(0);
    const events = await eventsOf(project);
    expect(ofType(events, 'help.answered')).toHaveLength(rounds.length);
    expect(ofType(events, 'help.requested')).toHaveLength(rounds.length);
    expect((await readFile(join(root, 'ran'), 'utf8')).trim().split('\n')).toEqual(allowed);
  });
});
