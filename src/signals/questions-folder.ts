import { resolve, relative, isAbsolute, sep } from 'node:path';
import { loadConfig } from '../workflow/config/load-config.ts';
import type { Desk } from './desk.ts';

/**
 * The folder of question files, as the configuration names it now; `undefined` when clarifications are
 * switched off or the folder will not do: everything named `*.json` in it is taken for a question.
 */
export async function questionsFolder(
  { project, complaints }: Desk,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const { enabled, questionsDir } = await readSettings(project.root, env, complaints);
  if (!enabled) return undefined;
  const folder = resolve(project.root, questionsDir);
  if (!holds(folder, project.dir) && !isSame(folder, project.dir)) {
    complaints.forget('questionsDir');
    return folder;
  }
  complaints.tell(
    'questionsDir',
    `Cannot serve questions in ${folder}: clarification.questionsDir has to be a folder of its own. Name another one`,
  );
  return undefined;
}

async function readSettings(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  complaints: Desk['complaints'],
): Promise<{ enabled: boolean; questionsDir: string }> {
  try {
    const { clarification } = await loadConfig({ root, env });
    complaints.forget('configuration');
    return clarification;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    complaints.tell('configuration', `Questions are not shown as files. ${why}`);
    return { enabled: false, questionsDir: '' };
  }
}

/** Whether one folder is above another. */
function holds(folder: string, inner: string): boolean {
  const way = relative(folder, inner);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isSame(one: string, other: string): boolean {
  return relative(one, other) === '';
}
