import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { EventType } from '../../../src/events/catalog.ts';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { startClifford } from '../../helpers/clifford-process.ts';
import type { CliffordOptions, CliffordProcess } from '../../helpers/clifford-process.ts';
import type { Ended } from '../../helpers/ended-process.ts';
import { killAll, processesOf } from '../../helpers/project-processes.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { eventsOf } from '../../helpers/sprint-run.ts';
import type { ModelServer, ModelServerOptions } from '../../../src/runner/scripted-model/model-server.ts';
import type { AgentCli } from './agent-cli.ts';
import { cliffordsPaths } from './agent-place.ts';
import type { AgentPlace } from './agent-place.ts';
import { agentEnvironment } from './installed.ts';
import { snapshot } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { testModel, testPlace } from './test-place.ts';
import { writeUsersFiles } from './users-files.ts';

/** A sprint that one agent works on, started as its user does: through `clifford`, as a process. */
export type AgentSprint = AgentPlace & {
  readonly sprintDir: string;
  /** The environment of its user. */
  readonly env: Readonly<Record<string, string>>;
  /** The project as somebody else sees it who has it open. */
  readonly log: Project;
  readonly model: ModelServer;
  /** Any command of `clifford`, in the project. */
  readonly clifford: (...args: readonly string[]) => CliffordProcess;
  /** `clifford run`, ended by the end of the test. */
  readonly run: (options?: Pick<CliffordOptions, 'nodeArgs'>) => SprintRun;
  /** `clifford answer last`, to its end. */
  readonly answer: (text: string) => Promise<Ended>;
  readonly events: () => Promise<StoredEvent[]>;
  /** What the user's files are like, without those of the agent and of Clifford. */
  readonly usersFiles: () => Promise<Snapshot>;
};

/** A `clifford run` under way. */
export type SprintRun = CliffordProcess & {
  /** Waits for something that comes while it runs. Rejects when it ends before that. */
  readonly until: <T>(what: Promise<T>) => Promise<T>;
};

/** How an agent is spoken with. */
export type Transport = 'cli' | 'acp';

/** What a sprint is made with. */
export type AgentSprintOptions = {
  readonly agent: AgentCli;
  /** Others that some of its tasks name. */
  readonly beside?: readonly AgentCli[];
  /** How it is spoken with. Default: by its command line. */
  readonly via?: Transport;
  readonly tasks?: readonly string[];
  /** Of `manifest.json`, beside its id and tasks, or instead of them. */
  readonly manifest?: object;
  readonly script: (place: {
    readonly project: string;
    readonly sprintDir: string;
  }) => ModelServerOptions['script'];
  /** Of `clifford.json`, beside the agent's name. */
  readonly config?: object;
  /** Who asks over ACP is answered by the policy, unless `asks`. */
  readonly asks?: boolean;
  /** Variables that its user has set besides. */
  readonly env?: Readonly<Record<string, string>>;
  /** The name of the project's folder. */
  readonly folder?: string;
};

/** A project of a user of this agent, and a scripted model. Whatever is left of it ends with the test. */
export async function agentSprint(options: AgentSprintOptions): Promise<AgentSprint> {
  const { agent, beside = [], via = 'cli', asks = false, tasks = ['form'] } = options;
  const { manifest = {}, script, config = {} } = options;
  const unasked = via === 'acp' && !asks;
  const place = await testPlace({ tasks, manifest }, options.folder);
  const { home, project, sprintDir, log } = place;
  const model = await testModel(script({ project, sprintDir }));
  await writeUsersFiles(place);
  const chosen = { agent: agent.name, agents: { [agent.name]: { via } } };
  await writeFile(join(project, 'clifford.json'), JSON.stringify({ ...chosen, ...config }));
  if (unasked) await writeMcpJson(project, { policy: { agents: { ask: 'nothing' } } });
  const trusts = unasked ? { CLIFFORD_TRUST_PROJECT: '1' } : {};
  const settled = await settle([agent, ...beside], home, model);
  const env = agentEnvironment(place, { ...settled, ...trusts, ...options.env });
  onTestFinished(async () => void killAll(await processesOf(project, '')));
  const start = (args: readonly string[], more: Pick<CliffordOptions, 'nodeArgs'> = {}) =>
    startClifford(args, { cwd: project, env, isWholeEnv: true, ...more });
  const clifford = (...args: readonly string[]) => start(args);
  return {
    ...place,
    env,
    model,
    clifford,
    run: (more) => withUntil(start(['run', '--plain'], more)),
    answer: (text) => clifford('answer', 'last', text).ended,
    events: () => eventsOf(log),
    usersFiles: () => snapshot(home, [...agent.ownPaths, ...cliffordsPaths]),
  };
}

/** Makes them use the model. Returns the variables that their user has set then. */
export async function settle(
  agents: readonly AgentCli[],
  home: string,
  model: ModelServer,
): Promise<Record<string, string>> {
  const settled: Record<string, string> = {};
  for (const each of agents) Object.assign(settled, await each.settle(home, model));
  return settled;
}

function withUntil(running: CliffordProcess): SprintRun {
  const over = running.ended.then(({ code, out, err }): never => {
    throw new Error(`clifford run ended with ${code} before that:\n${out}${err}`);
  });
  // Nobody may be waiting for anything then.
  over.catch(() => undefined);
  return { ...running, until: (what) => Promise.race([what, over]) };
}

/** Whether an event is of this type, for `filter` and `find`. */
export function isA<T extends EventType>(type: T) {
  return (event: StoredEvent): event is StoredEvent & { readonly type: T } => event.type === type;
}
