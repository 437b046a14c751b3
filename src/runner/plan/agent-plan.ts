import { CliffordError } from '../../errors.ts';
import type { agentOptionNames } from '../../events/descriptors/agent-events.ts';
import type { Config } from '../../workflow/config/config-schema.ts';
import { agentPrompt, type PromptFacts } from './agent-prompt.ts';
import type { AgentWay } from './agent-way.ts';
import { parseAgentCommand, splitAgentCommand } from './agent-command.ts';
import type { AcpStart, AgentAdapter, KnownAgent, Launch, LaunchOrder } from '../agents/agent-adapter.ts';
import { acpAdapter, acpCommandAdapter } from '../acp/acp-adapter.ts';
import { customAdapter, MARKS } from '../agents/custom.ts';
import { knownAgent } from '../agents/known-agents.ts';
import { commandName } from '../../lib/text/command-name.ts';
import { findExecutable, type SearchPlace } from '../../lib/processes/find-executable.ts';

/** A value, and how it may be shown where variables brought in a part of it. */
export type Shown<T> = { readonly value: T; readonly shown: T };

/** What the configuration says of one agent. */
export type AgentDefinition = Config['agents'][string];

/** What is known of a run beside what its plan says. */
export type PlannedOrder = Omit<LaunchOrder, 'args' | 'model' | 'cli'>;

/** How the agent of a task is started. */
export type AgentPlan = {
  /** Its name in the configuration, or of its adapter; `undefined` for a bare command line. */
  readonly agent: string | undefined;
  /** The option of the command line that chose it; `undefined`: the files did. */
  readonly option?: (typeof agentOptionNames)[number] | undefined;
  /** Its name, else its command line, as it may be shown. */
  readonly called: string;
  /** How it is named as the one who asks, in rules and in the log. */
  readonly name: string;
  readonly adapter: AgentAdapter;
  /** The executable as found. */
  readonly file: string;
  /** Exit code 0 says that the task is done: the agent need not connect to Clifford. */
  readonly isDoneByExit: boolean;
  /** The text it is started with. */
  readonly prompt: (facts: PromptFacts) => string;
  readonly launch: (order: PlannedOrder) => Launch;
  /** The command line as it may be recorded, with `{prompt}` for the prompt. */
  readonly recorded: (order: PlannedOrder) => string[];
};

/** What a plan is made of. */
type PlanParts = {
  readonly agent: string | undefined;
  readonly definition?: Shown<AgentDefinition> | undefined;
  /** The model that was asked for; else the definition's counts. */
  readonly model: Shown<string | undefined>;
  /** The text of `.clifford/prompt.md`. */
  readonly template?: string | undefined;
  readonly isDoneByExit?: boolean;
  readonly place: SearchPlace;
};

/** What a plan is made with besides its two sides. */
type Start = Pick<AgentPlan, 'agent' | 'called' | 'name' | 'file' | 'isDoneByExit'> &
  Pick<PlanParts, 'template'> & { readonly env: AgentDefinition['env'] } & Pick<LaunchOrder, 'cli'>;

/** What a launch is made with: as it is, or as it may be shown. */
type Side = Pick<LaunchOrder, 'args' | 'model'> & { readonly adapter: AgentAdapter };

/**
 * The plan for a command line of the user's own.
 *
 * @param via - How it is spoken with. Default: by what it prints.
 * @throws {CliffordError} `AGENT_COMMAND_INVALID`, `AGENT_NOT_FOUND`; `MODEL_MISSING` when it has `{model}`
 *   and there is none.
 */
export function planCommand(
  line: Shown<string>,
  via: AgentWay['via'] | undefined,
  { agent, definition, model, template, isDoneByExit = false, place }: PlanParts,
): AgentPlan {
  const { file } = parseAgentCommand(line.value, { ...place, shown: line.shown });
  const { name: bin, args: rest } = splitAgentCommand(line.shown);
  const sideOf = (side: keyof Shown<unknown>): Side => {
    const { resume, output = 'text', stdin, args = [], model: own } = definition?.[side] ?? {};
    const first = splitAgentCommand(line[side], line.shown).args;
    const used = model[side] ?? own;
    if (via === 'acp') {
      if (used === undefined && first.some((arg) => arg.includes(MARKS.model))) throw noModel(line.shown);
      return { adapter: acpCommandAdapter(first), args, model: used };
    }
    const again = resume === undefined ? undefined : splitAgentCommand(resume).args;
    const createParser = output === 'text' ? undefined : knownAgent(output)?.createParser;
    const keepsStdin = stdin === 'open';
    if (keepsStdin && [first, again ?? first].some((each) => !each.some((arg) => arg.includes(MARKS.prompt))))
      throw promptOnStdin(line.shown);
    const adapter = customAdapter({ args: first, resumeArgs: again, createParser, keepsStdin });
    const needsModel = [first, again ?? []].flat().some((arg) => arg.includes(MARKS.model));
    if (needsModel && used === undefined) throw noModel(line.shown);
    return { adapter, args, model: used };
  };
  const called = agent ?? line.shown;
  const name = agent ?? (commandName([bin, ...rest]) || 'agent');
  const start = { agent, called, name, file, template, isDoneByExit, env: definition?.value.env };
  return makePlan(start, sideOf('value'), { ...sideOf('shown'), bin });
}

/**
 * The plan for an agent CLI that Clifford knows.
 *
 * @param via - How it is spoken with.
 * @throws {CliffordError} `AGENT_NOT_FOUND` when it is not installed; `AGENT_COMMAND_INVALID` when it does not speak so.
 */
export function planKnown(
  known: KnownAgent,
  via: AgentWay['via'],
  { agent, definition, model, template, isDoneByExit = false, place }: PlanParts,
): AgentPlan {
  const acp = via === 'acp' ? known.acp : undefined;
  if (via === 'acp' && !acp) throw noAcp(known);
  const cli = findExecutable(definition?.value.path ?? known.bin, place);
  const speaker = acp?.program;
  const file = speaker ? findExecutable(speaker.bin, place) : cli;
  const bin = speaker?.bin ?? definition?.shown.path ?? known.bin;
  if (file === undefined) throw speaker ? noSpeaker(known, speaker) : notInstalled(known, bin);
  const sideOf = (side: keyof Shown<unknown>): Side => {
    const { args = [], model: own } = definition?.[side] ?? {};
    const adapter = acp ? acpAdapter(known, acp) : known;
    return { adapter, args, model: model[side] ?? own };
  };
  const env = definition?.value.env;
  const called = agent ?? known.name;
  const start = { agent, called, name: called, file, template, isDoneByExit, env, cli: speaker && cli };
  return makePlan(start, sideOf('value'), { ...sideOf('shown'), bin });
}

function makePlan(
  { agent, called, name, file, template, isDoneByExit, env = {}, cli }: Start,
  real: Side,
  shown: Side & { readonly bin: string },
): AgentPlan {
  const { adapter, args, model } = real;
  return {
    agent,
    called,
    name,
    adapter,
    file,
    isDoneByExit,
    prompt(facts) {
      const { connects } = adapter;
      const toolName = knownAgent(adapter.name)?.toolName;
      return agentPrompt(facts, { template, isDoneByExit, connects, toolName });
    },
    launch(order) {
      // The adapter reads them, and lets them win or puts in what is missing.
      const launch = adapter.launch({ ...order, env: { ...order.env, ...env }, args, model, cli });
      return { ...launch, env: { ...env, ...launch.env } };
    },
    recorded(order) {
      const { args: more } = shown;
      const launch = shown.adapter.launch({ ...order, prompt: MARKS.prompt, args: more, model: shown.model });
      return [shown.bin, ...launch.args];
    },
  };
}

function notInstalled({ title, install }: KnownAgent, bin: string): CliffordError {
  const where = bin.includes('/') ? `there is no program at ${bin}` : `${bin} is not on the PATH`;
  return new CliffordError(`Cannot start ${title}: ${where}`, {
    code: 'AGENT_NOT_FOUND',
    fix: `Install it (${install}), or say where it is with "path" of the agent in clifford.json`,
  });
}

function noSpeaker({ title }: KnownAgent, { bin, install }: NonNullable<AcpStart['program']>): CliffordError {
  return new CliffordError(`Cannot start ${title} with "via": "acp": ${bin} is not on the PATH`, {
    code: 'AGENT_NOT_FOUND',
    fix: `Install it (${install}), or set "via": "cli" of the agent in clifford.json`,
  });
}

function noAcp({ title }: KnownAgent): CliffordError {
  return new CliffordError(
    `Cannot start ${title} with "via": "acp": it is not known how it speaks that protocol`,
    {
      code: 'AGENT_COMMAND_INVALID',
      fix: 'Leave out "via", or name a command that speaks the Agent Client Protocol, with "command"',
    },
  );
}

function promptOnStdin(line: string): CliffordError {
  return new CliffordError(
    `Cannot start agent command ${line}: its stdin is to stay open, and its end is the end of the prompt there`,
    {
      code: 'AGENT_COMMAND_INVALID',
      fix: `Give it the prompt as an argument, with ${MARKS.prompt}, or leave out "stdin" in clifford.json`,
    },
  );
}

function noModel(line: string): CliffordError {
  return new CliffordError(
    `Cannot start agent command ${line}: it has ${MARKS.model}, and no model is configured`,
    {
      code: 'MODEL_MISSING',
      fix: 'Name one with --model, or as "model" in the manifest or in clifford.json',
    },
  );
}
