import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentCli } from './agent-cli.ts';
import type { AgentPlace } from './agent-place.ts';
import { snapshot } from './snapshot.ts';

/** Waits until the agent has written down what was said in its session, up to this text: what it has not cannot be gone on with. */
export async function savedSession(
  { home }: Pick<AgentPlace, 'home'>,
  { sessionFiles }: Pick<AgentCli, 'sessionFiles'>,
  text: string,
): Promise<void> {
  const isSaved = async () => {
    const paths = Object.keys(await snapshot(home)).filter((path) => sessionFiles.test(path));
    const texts = await Promise.all(paths.map((path) => readFile(join(home, path), 'latin1')));
    return texts.some((each) => each.includes(text));
  };
  await expect.poll(isSaved, { timeout: 60_000, interval: 100 }).toBe(true);
}
