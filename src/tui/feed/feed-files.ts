import type { RequestState } from '../../machines/project-state.ts';
import { seeChanges } from '../../views/calls/seen-changes.ts';
import type { Project } from '../../workflow/project/project.ts';
import { SeenFiles } from '../../workflow/requests/seen-files.ts';
import { lookAtFiles, type LookedAtFiles } from './look-at-files.ts';

/** How often is looked whether files have changed, in ms. */
const LOOK_EVERY_MS = 1_000;

type FileDeps = {
  readonly project: Pick<Project, 'root' | 'state' | 'hideSecrets'>;
  /** The calls that are shown, or may be next. */
  readonly calls: () => readonly RequestState[];
  /** The one that is shown, by its id: it is compared before the others. */
  readonly shown: () => string | undefined;
  readonly send: (event: { readonly type: 'compared-files' } & LookedAtFiles) => void;
};

/** What tells a screen of files. */
export type FileFeed = { readonly look: () => void; readonly stop: () => void };

/** Tells a screen what stands in the files of its calls: of each when it is one of them, and anew when a file has changed. */
export function feedFiles({ project, calls, shown, send }: FileDeps): FileFeed {
  const seen = new SeenFiles(seeChanges.pathsOf);
  let isLooking = false;
  let isDue = false;
  let isStopped = false;
  const waiting = new Map<string, RequestState>();
  /** Each is told of by itself: none waits for one whose files are long. */
  const lookAtAll = async () => {
    while (!isStopped && (isDue || waiting.size > 0)) {
      if (isDue) {
        isDue = false;
        const changed = await seen.changed(project, calls(), [shown() ?? '']);
        for (const call of changed) waiting.set(call.id, call);
      }
      const next = waiting.get(shown() ?? '') ?? waiting.values().next().value;
      if (!next) continue;
      waiting.delete(next.id);
      const looked = await lookAtFiles(project, [next]);
      if (!isStopped) send({ type: 'compared-files', ...looked });
    }
  };
  const look = () => {
    isDue = true;
    if (isLooking || isStopped) return;
    isLooking = true;
    void lookAtAll()
      // What cannot be looked at now is looked at in a second.
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
        if (isDue) look();
      });
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  look();
  return {
    look,
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
