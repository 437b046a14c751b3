import { access } from 'node:fs/promises';
import { isMissing } from '../system-error.ts';

/** Whether a file or folder is there, links followed. What cannot be looked at may be. */
export async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}
