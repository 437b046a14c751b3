import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOG_VARIABLE } from '../../workflow/log/log-variable.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';

/** A project of its own in which an agent's connection is recorded, and nothing of the user's. */
export type ConnectionProject = {
  readonly root: string;
  /** The name of the client that said `initialize` to Clifford's server first. `undefined`: nobody until the end. */
  readonly connected: Promise<string | undefined>;
  readonly end: () => Promise<void>;
};

/** Makes one. The proof of a connection is the same as in a run: the server itself records it. */
export async function createConnectionProject(
  env: Readonly<Record<string, string | undefined>>,
): Promise<ConnectionProject> {
  const root = await mkdtemp(join(tmpdir(), 'clifford-doctor-'));
  await mkdir(join(root, STATE_DIR), { mode: 0o700 });
  const project = await openProject({ root, source: '/clifford/cli', env: { ...env, [LOG_VARIABLE]: '' } });
  const over = new AbortController();
  return {
    root,
    connected: firstClient(project, over.signal),
    async end() {
      over.abort();
      await project.close();
      // The server that connected may still be leaving.
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function firstClient(project: Project, signal: AbortSignal): Promise<string | undefined> {
  for await (const { events } of project.log.follow({ signal })) {
    for (const event of events) if (event.type === 'agent.connected') return event.data.client.name;
  }
  return undefined;
}
