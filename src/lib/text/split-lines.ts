/** Longest part of a line that is kept waiting for its end, in UTF-16 units. */
const MAX_WAITING = 8_192;

/** KeyedQueue chunks of text into lines. `end` gives out what has no newline. */
export function splitLines(onLine: (line: string) => void): {
  push: (text: string) => void;
  end: () => void;
} {
  let waiting = '';
  return {
    push: (text) => {
      const lines = (waiting + text).split('\n');
      waiting = lines.pop() ?? '';
      for (const line of lines) onLine(line.replace(/\r$/, ''));
      if (waiting.length <= MAX_WAITING) return;
      onLine(waiting);
      waiting = '';
    },
    end: () => {
      if (waiting !== '') onLine(waiting);
      waiting = '';
    },
  };
}
