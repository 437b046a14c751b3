import { resolve } from 'node:path';
import { CliffordError } from '../errors.ts';
import { isInside } from '../lib/files/inside-root.ts';
import { loadConfig, type ConfigSource } from '../workflow/config/load-config.ts';
import { hasConfigFiles, whereToWrite } from '../workflow/project/where-to-write.ts';
import type { SignalDeps } from './signal-deps.ts';

/**
 * The folder of question files, as the configuration names it now; `undefined` when clarifications are
 * switched off or the folder will not do: everything named `*.json` in it is taken for a question.
 */
export async function questionsFolder(
  { project, problems }: SignalDeps,
  config: Pick<ConfigSource, 'env' | 'configMemory'>,
): Promise<string | undefined> {
  const report = (problem: string) => {
    // Told once per change of the file, which may bring the same mistake back.
    problems.forget('configuration');
    problems.tell('configuration', problem);
  };
  const { clarification } = await loadConfig({ ...config, root: project.root, report });
  if (!clarification.enabled) return undefined;
  const folder = await folderOfItsOwn(project, clarification.questionsDir);
  if (folder !== undefined) {
    problems.forget('questionsDir');
    return folder;
  }
  problems.tell(
    'questionsDir',
    `Cannot serve questions in ${resolve(project.root, clarification.questionsDir)}: clarification.questionsDir has to ` +
      "be a folder of its own, inside of the project, and none of git's or Clifford's. Name another one",
  );
  return undefined;
}

/** The folder, if it is one to write questions into, and to take every `*.json` in it for a question. */
async function folderOfItsOwn(
  { root, dir }: SignalDeps['project'],
  named: string,
): Promise<string | undefined> {
  try {
    const folder = await whereToWrite(root, named, 'folder');
    return isInside(folder, dir) || hasConfigFiles(folder) ? undefined : folder;
  } catch (error) {
    if (error instanceof CliffordError) return undefined;
    throw error;
  }
}
