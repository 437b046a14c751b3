import { parentPort } from 'node:worker_threads';
import { doors, textsFor } from './repeated-text.ts';

// Says what it is about to read, of which it may never come back.
for (const [name, door] of Object.entries(doors)) {
  for (const [made, text] of textsFor(door)) {
    parentPort?.postMessage(`${name}: ${made}`);
    door.read(text);
  }
}
