import { setImmediate } from 'node:timers/promises';
import { useApp, useStdin, useStdout } from 'ink';
import { useEffect, type ReactNode } from 'react';
import type { EditedText, ToEdit } from '../../lib/processes/open-editor.ts';
import { draftName } from './edited-draft.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';
import { PLAIN } from '../terminal/terminal-stream.ts';

/** Has a person change a text, with the terminal to themselves. */
export type OpenEditor = (draft: ToEdit) => Promise<EditedText>;

type EditingProps = {
  readonly actor: ScreenActor;
  readonly open: OpenEditor;
  readonly children: ReactNode;
};

/** Gives the terminal to an editor while a person writes in it what stands in a box. */
export function Editing({ actor, open, children }: EditingProps) {
  const { suspendTerminal } = useApp();
  const { stdin } = useStdin();
  const { stdout } = useStdout();
  useEffect(() => {
    let isAway = false;
    const heard = actor.on('edit-draft', ({ at, text }) => {
      if (isAway) return;
      isAway = true;
      let edited: EditedText = { problem: 'the terminal could not be given to it' };
      const editing = suspendTerminal(async () => {
        await stopReading(stdin);
        edited = await open({ name: draftName(at), text }).catch(asProblem);
        stdout.write(PLAIN);
      });
      void editing
        .catch((error: unknown) => (edited = asProblem(error)))
        .finally(() => {
          isAway = false;
          actor.send({ type: 'draft-edited', at, edited });
        });
    });
    return () => heard.unsubscribe();
  }, [actor, open, stdin, stdout, suspendTerminal]);
  return children;
}

/** Ink listens no more then, but what is read from a terminal is read: no editor would see it. Ink begins again by itself. */
async function stopReading(stdin: Pick<NodeJS.ReadableStream, 'pause'>): Promise<void> {
  await setImmediate();
  stdin.pause();
  await setImmediate();
}

function asProblem(error: unknown): EditedText {
  return { problem: error instanceof Error ? error.message : String(error) };
}
