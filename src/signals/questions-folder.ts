import { resolve, relative, isAbsolute, sep } from 'node:path';
import { realPath } from '../lib/files/real-path.ts';
import { loadConfig } from '../workflow/config/load-config.ts';
import type { SignalDeps } from './signal-deps.ts';

/**
 * The folder of question files, as the configuration names it now; `undefined` when clarifications are
 * switched off or the folder will not do: everything named `*.json` in it is taken for a question.
 */
export async function questionsFolder(
  { project, problems }: SignalDeps,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const report = (problem: string) => {
    // Told once per change of the file, which may bring the same mistake back.
    problems.forget('configuration');
    problems.tell('configuration', problem);
  };
  const { clarification } = await loadConfig({ root: project.root, env, report });
  if (!clarification.enabled) return undefined;
  const folder = resolve(project.root, clarification.questionsDir);
  // One that does not exist yet, or cannot be looked at: whoever writes into it finds out.
  if (!holds(realPath(folder) ?? folder, realPath(project.dir) ?? project.dir)) {
    problems.forget('questionsDir');
    return folder;
  }
  problems.tell(
    'questionsDir',
    `Cannot serve questions in ${folder}: clarification.questionsDir has to be a folder of its own. Name another one`,
  );
  return undefined;
}

/** Whether one folder is the other, or above it. */
function holds(folder: string, inner: string): boolean {
  const way = relative(folder, inner);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
