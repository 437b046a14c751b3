import type { FolderWatch } from '../../lib/files/folder-watch.ts';
import { watchFile } from '../../lib/files/watch-file.ts';
import { configFiles } from '../../workflow/config/config-place.ts';
import { loadConfig } from '../../workflow/config/load-config.ts';
import type { SessionPlace } from './session-place.ts';

/** Ends calls of ask_clarification when the configuration switches them off while they wait. */
export class ClarificationSwitch {
  readonly #place: SessionPlace;
  readonly #calls = new Set<() => void>();
  #watches: readonly FolderWatch[] = [];

  constructor(place: SessionPlace) {
    this.#place = place;
  }

  /** Calls `onOff` once it is switched off, unless the returned function was called before. */
  watch(onOff: () => void): () => void {
    // A function of its own for each call: one may be handed in twice.
    const call = () => onOff();
    this.#calls.add(call);
    if (this.#watches.length === 0) this.#open();
    return () => {
      this.#calls.delete(call);
      if (this.#calls.size === 0) this.#close();
    };
  }

  #open(): void {
    const look = () => void this.#look().catch(this.#place.report);
    this.#watches = configFiles(this.#place).map((file) => watchFile(file, look));
  }

  #close(): void {
    for (const watch of this.#watches) watch.close();
    this.#watches = [];
  }

  async #look(): Promise<void> {
    const { clarification } = await loadConfig(this.#place);
    if (!clarification.enabled) for (const call of this.#calls) call();
  }
}
