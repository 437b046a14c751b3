import { ADHOC_STREAM } from '../events/field-schemas.ts';
import type { ProjectState } from '../machines/project-state.ts';
import { wordOf } from '../machines/status-words.ts';

/** The stream of files that name no request: the only sprint under way, else `adhoc`. */
export function homeOfFiles({ streams }: ProjectState): string {
  const [first, second] = streams
    .awake()
    // One whose tasks all wait for a human reads blocked.
    .filter(
      ({ manifest, machine }) => manifest !== undefined && /active|blocked/.test(wordOf(machine.value)),
    );
  return first && !second ? first.id : ADHOC_STREAM;
}
