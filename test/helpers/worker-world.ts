import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { openJetStreamLog } from '../../src/events/jetstream/jetstream-log.ts';
import { clifford, startClifford, type CliffordProcess } from './clifford-process.ts';
import type { Ended } from './ended-process.ts';
import { gitIn, makeRepository, type TestGit } from './temp-repository.ts';
import { tempRoot, writeSprint } from './temp-project.ts';

/** A team: a repository, a log on a server, the folder of a human who has both, and folders for workers. */
export type WorkerWorld = {
  /** `nats://host:port/project`. */
  readonly url: string;
  /** The human's checkout, with every sprint. */
  readonly desk: string;
  /** What everybody fetches from and pushes to, bare. */
  readonly origin: TestGit;
  /** Runs a command of the human's. */
  readonly human: (...args: readonly string[]) => Promise<Ended>;
  /** Starts a worker in a folder of its own, by another way to the server if one is given, on a machine that has the worker's name. */
  readonly worker: (
    name: string,
    options?: {
      args?: readonly string[];
      env?: Readonly<Record<string, string>>;
      url?: string;
      /** What the machine is known by, on which it is. */
      machine?: string;
      /** Stands before its command line, e.g. `ip netns exec`. */
      by?: readonly string[];
    },
  ) => Promise<CliffordProcess & { readonly folder: string }>;
  /** All events of the log so far. */
  readonly events: () => Promise<StoredEvent[]>;
};

/** As in docs/scale-out.md. */
const FETCH = `set -eu
[ -d .git ] || git clone --quiet "$REPOSITORY" .
grep -qx .clifford/ .git/info/exclude || echo .clifford/ >> .git/info/exclude
git fetch --quiet origin
from=origin/main
if git rev-parse --quiet --verify "origin/$CLIFFORD_BRANCH" > /dev/null; then from=origin/$CLIFFORD_BRANCH; fi
if ! git rev-parse --quiet --verify "refs/heads/$CLIFFORD_BRANCH" > /dev/null; then
  git branch --quiet --no-track "$CLIFFORD_BRANCH" "$from"
fi
git switch --quiet "$CLIFFORD_BRANCH"
if ! git merge --quiet --ff-only "$from"; then
  # What an attempt that does not count has left is put aside where it is in the way.
  git stash push --quiet --include-untracked
  # So are commits that were not pushed, where another worker has pushed others meanwhile: they stay on a branch.
  git merge --quiet --ff-only "$from" || [ "$from" = origin/main ] || {
    git branch --quiet --force "$CLIFFORD_BRANCH-$(git rev-parse --short HEAD)"
    git reset --quiet --hard "$from"
  }
fi
`;
const PUSH = 'git push --quiet origin "HEAD:refs/heads/$CLIFFORD_BRANCH"\n';

/** Who commits, and that nobody else's git configuration counts. */
const GIT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Worker',
  GIT_AUTHOR_EMAIL: 'worker@example.com',
  GIT_COMMITTER_NAME: 'Worker',
  GIT_COMMITTER_EMAIL: 'worker@example.com',
};

/** The scripts of docs/scale-out.md, by their names. */
export const repositoryScripts = { 'fetch.sh': FETCH, 'push.sh': PUSH };

/**
 * Makes a team whose sprints have these tasks. `project`: what it is called on the server; `deadlineMs`: for how long nothing
 * may be heard of a worker.
 */
export async function workerWorld(
  address: string,
  {
    sprints,
    project = randomUUID(),
    config = {},
    deadlineMs = 2_000,
    losses = 5,
  }: {
    readonly sprints: Readonly<
      Record<string, readonly string[] | { tasks: readonly string[]; manifest: object }>
    >;
    readonly project?: string;
    readonly config?: object;
    readonly deadlineMs?: number;
    readonly losses?: number;
  },
): Promise<WorkerWorld> {
  const base = await tempRoot();
  const url = `nats://${address}/${project}`;
  const [desk, bare] = [join(base, 'desk'), join(base, 'origin.git')];
  await mkdir(join(desk, '.clifford'), { recursive: true });
  for (const [id, planned] of Object.entries(sprints)) {
    const { tasks, manifest = {} } = 'tasks' in planned ? planned : { tasks: planned };
    const entries = tasks.map((task) => ({ id: task, file: `${task}.md`, status: 'pending' }));
    await writeSprint(desk, { id, tasks, manifest: { tasks: entries, ...manifest } });
  }
  const shared = { log: { url }, queue: { deadline: deadlineMs, losses }, commit: true, ...config };
  await writeFile(join(desk, 'clifford.json'), JSON.stringify(shared, null, 2));
  makeRepository(desk).commitAll('The plan');
  gitIn(base)('clone', '--quiet', '--bare', desk, bare);
  const own = {
    queue: { deadline: deadlineMs, losses },
    repository: { fetch: `sh ${base}/fetch.sh`, push: `sh ${base}/push.sh` },
  };
  await Promise.all([
    ...Object.entries(repositoryScripts).map(([name, text]) => writeFile(join(base, name), text)),
    writeFile(join(base, 'own.json'), JSON.stringify(own)),
  ]);
  return {
    url,
    desk,
    origin: gitIn(bare),
    human: (...args) => clifford(args, { cwd: desk }),
    async worker(name, { args = [], env = {}, url: way = url, machine = name, by = [] } = {}) {
      const folder = join(base, name);
      await mkdir(folder, { recursive: true });
      const started = startClifford(['worker', '--name', name, '--folder', folder, '--log', way, ...args], {
        cwd: folder,
        by,
        env: {
          CLIFFORD_CONFIG: join(base, 'own.json'),
          XDG_STATE_HOME: join(base, 'machines', machine),
          REPOSITORY: bare,
          ...GIT,
          ...env,
        },
      });
      await started.printed(/takes sprints from/);
      return { ...started, folder };
    },
    async events() {
      const log = await openJetStreamLog({
        name: url,
        project: url.split('/').at(-1) ?? '',
        servers: [address],
      });
      try {
        const batches = await Array.fromAsync(log.read());
        return batches.flatMap(({ events }) => [...events]);
      } finally {
        await log.close();
      }
    },
  };
}
