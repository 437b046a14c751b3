import { isAside } from './cast.ts';
import { castEvents } from './cast-events.ts';
import { markedVersion } from './marker-labels.ts';

/** As much is kept of what was written, in characters: its end. */
const MOST_CHARACTERS = 262_144;

/**
 * What an agent had written when an event happened, as far as its transcript has it: the end of it, with plain newlines,
 * without what is only kept. Transcripts mark the events of their task: times of two programs need not agree.
 *
 * @param path - Absolute: the first segment of the transcript.
 * @param version - Of the event in its stream.
 */
export function outputUntil(path: string, version: number): string {
  let text = '';
  for (const { event } of castEvents(path)) {
    const [, code, data] = event;
    if (code === 'm') {
      const marked = markedVersion(data) ?? 0;
      if (marked > version) break;
      if (marked === version) return tailOf(text);
    }
    if (code !== 'o' || isAside(data)) continue;
    text += data;
    if (text.length > 2 * MOST_CHARACTERS) text = text.slice(-MOST_CHARACTERS);
  }
  return tailOf(text);
}

function tailOf(text: string): string {
  return text.slice(-MOST_CHARACTERS).replaceAll('\r\n', '\n');
}
