import { markdownStructure } from '../reports/markdown-structure.ts';
import { readTaskFile } from './read-task-file.ts';

/** A title that stands further behind in a file is none, in bytes. */
const LOOK_BYTES = 8_192;

/** The first heading of a task file, `''` where it has none; `undefined`: it is not there. */
export async function readTaskTitle(
  root: string,
  sprintDir: string,
  file: string,
): Promise<string | undefined> {
  const text = await readTaskFile(root, sprintDir, file, LOOK_BYTES);
  return text === null ? undefined : titleIn(text);
}

function titleIn(text: string): string {
  for (const part of markdownStructure(text, 0)) if (part.is === 'heading') return part.title.trim();
  return '';
}
