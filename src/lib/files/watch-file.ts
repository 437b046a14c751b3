import { basename, dirname } from 'node:path';
import { FolderWatch } from './folder-watch.ts';

/** Calls `look` when a file may have come, gone or changed, and once a second. What does not notify is looked at then. */
export function watchFile(file: string, look: () => void): FolderWatch {
  const onChange = (name: string | null) => {
    if (name === null || name === basename(file)) look();
  };
  return new FolderWatch(dirname(file), { onChange, onLook: look });
}
