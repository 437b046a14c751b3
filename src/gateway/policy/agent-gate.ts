import { isAbsolute, normalize, resolve } from 'node:path';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { PolicyConfig, PolicyWord, UnreadablePolicy } from '../config/policy-config.ts';
import type { AgentCall } from '../permission/agent-call.ts';
import { agentRuleApplies, hasName, mayBeMeant, type AgentGateCall } from './agent-rule-match.ts';
import { agentCallName } from './agent-call-name.ts';
import type { GateDecision } from './gate-call.ts';
import { grantLabel, holdsIn, type GrantedRule } from './granted-rule.ts';
import { labelled, type LabelledPolicy, type LabelledRule } from './held-rules.ts';
import { namedConditions } from './named-by-commands.ts';
import { isHarmless, isInside } from './harmless-call.ts';
import { outOfTime, refusedUnread } from './policy-gate.ts';
import { RegexTime } from './regex-time.ts';
import { MAX_PATH_LENGTH, remembering } from './path-below.ts';
import { patternsOfCall, type PatternsOf } from './path-patterns.ts';
import { protectedCall } from './protected-call.ts';
import { placesOfCall, type PlacesOfCall, type UsersPlaces } from './protected-places.ts';
import type { Ground } from './rule-match.ts';
import type { CommandReading, ShellCommand } from './shell/command-reading.ts';
import { textsOfCommand } from './shell/command-match.ts';
import { foldersEntered, MAX_FOLDERS, startingFolders } from './shell/folders-entered.ts';
import { aloneIn, lineReading, withRestOf } from './shell/line-reading.ts';

/** The project, absolute; without `throughLinks` links count as written, without `users` nothing of theirs is protected. */
export type AgentGround = Ground & { readonly root: string; readonly users?: UsersPlaces };

/** What the command lines of a call do. */
type Read = { readonly reading: CommandReading | undefined } & Limits;

/** What is left of what may be looked at for it, and what is known of its words by now. */
type Limits = {
  readonly regexTime: RegexTime;
  readonly patternsOf: PatternsOf;
  readonly placesOf: PlacesOfCall;
};

/** What is said of a part of a command line, beside nothing else of it; and with the files that the line opens, and its doubts. */
export type PartDecision = { readonly alone: GateDecision; readonly inLine: GateDecision };

/** What one part of a call is held against: a command of a shell, or the call as it is. */
type Part = { readonly command: ShellCommand | undefined };

/**
 * Judges what agents do with their own tools, by the `agents` of the policy and by what humans granted. Deny wins over
 * confirm, confirm over allow; a granted rule answers a confirm and nothing else. A command line is judged by each
 * command in it, and one that cannot be taken apart is never allowed by a rule. Without I/O of its own.
 */
export class AgentGate {
  readonly #policy: Pick<LabelledPolicy, 'ask' | 'asksNobody'> | UnreadablePolicy;
  readonly #rules: readonly LabelledRule[];
  readonly #granted: readonly GrantedRule[];
  #ground: AgentGround;

  constructor(
    policy: PolicyConfig | UnreadablePolicy | { readonly held: LabelledPolicy },
    granted: readonly GrantedRule[],
    ground: AgentGround,
  ) {
    const agents = 'unreadable' in policy ? policy : 'held' in policy ? policy.held : labelled(policy.agents);
    this.#policy = agents;
    this.#rules = 'unreadable' in agents ? [] : agents.rules;
    this.#granted = granted;
    const { throughLinks } = ground;
    this.#ground = throughLinks ? { ...ground, throughLinks: remembering(throughLinks) } : ground;
  }

  check(call: AgentGateCall): GateDecision {
    const reading = lineReading(call.commands);
    return this.#said(call, { reading, ...limitsFor(reading) });
  }

  /** The same for parts of the command lines of a call, each where it may run; `line`: what all of them do. */
  checkParts(
    call: AgentGateCall,
    line: CommandReading,
    parts: readonly CommandReading[],
  ): readonly PartDecision[] {
    // The line is looked at for as long as one call is.
    const limits = limitsFor(line);
    return parts.map((part) => ({
      alone: this.#said(call, { reading: aloneIn(line, part), ...limits }),
      inLine: this.#said(call, { reading: withRestOf(line, part), ...limits }),
    }));
  }

  #said(call: AgentGateCall, read: Read): GateDecision {
    const said = this.#inEach(call, read);
    const { asksNobody } = 'unreadable' in this.#policy ? {} : this.#policy;
    if (asksNobody === undefined || said.decision !== 'confirm') return said;
    return { ...said, decision: 'deny', reason: `${said.reason}, and nobody is asked here: ${asksNobody}` };
  }

  /** The heaviest word in any folder where it may be made. */
  #inEach({ elsewhere, otherFolders = [], ...call }: AgentGateCall, read: Read): GateDecision {
    const others = [...(elsewhere === undefined ? [] : [elsewhere]), ...otherFolders];
    let said = this.#check(call, read);
    if (others.length > MAX_FOLDERS)
      return {
        decision: 'deny',
        rule: 'agents',
        reason: `it names more than ${MAX_FOLDERS} folders that it may be made in`,
      };
    for (const cwd of others) {
      if (said.decision === 'deny') return said;
      const there = this.#check({ ...call, cwd }, read);
      if (there.decision === 'deny' || said.decision === 'allow') said = there;
    }
    return said;
  }

  #check(call: AgentGateCall, read: Read): GateDecision {
    const isFar = call.cwd.length > MAX_PATH_LENGTH;
    const cwd = isFar ? normalize(call.cwd) : call.cwd;
    // From a folder that no system goes to its paths lead nowhere.
    const named = cwd.length > MAX_PATH_LENGTH ? [] : call.paths;
    const paths = named.filter(({ length }) => length <= MAX_PATH_LENGTH).slice(0, MAX_PATHS);
    const { mayName = [] } = call;
    const texts = mayName.slice(0, MAX_PATHS);
    const said = this.#judge({ ...call, cwd, paths, mayName: texts }, read);
    const isWhole = !isFar && paths.length === call.paths.length && texts.length === mayName.length;
    if (isWhole || said.decision === 'deny') return said;
    const isAsked = !('unreadable' in this.#policy) && this.#policy.ask !== 'nothing';
    const what = `${agentCallName(call)} names more files than are looked at, or longer names`;
    return {
      decision: isAsked ? 'confirm' : 'deny',
      rule: 'too many files',
      reason: isAsked ? `${what}: a human has to look at it` : `${what}, and nobody is asked here`,
    };
  }

  #judge(call: AgentGateCall, { reading, ...limits }: Read): GateDecision {
    const policy = this.#policy;
    if ('unreadable' in policy) return refusedUnread(agentCallName(call), policy);
    this.#ground = { ...this.#ground, ...limits };
    const guarded = protectedCall(call, reading, this.#ground);
    if (guarded?.decision === 'deny') return guarded;
    const ruled = this.#ruled(call, reading);
    if (ruled?.decision === 'deny') return ruled;
    // Where a protected place has a human asked, no rule allows it, and no yes that was given for longer.
    const found = guarded ?? ruled;
    if (found?.decision === 'allow') return found;
    if (policy.ask === 'nothing') return this.#unattended(call, found, reading);
    const granted = guarded ? undefined : this.#granted.find((grant) => serves(grant, call));
    if (granted) {
      const by = cleanLine(granted.by, 100);
      return { decision: 'allow', rule: grantLabel(granted), reason: `${by} has allowed it` };
    }
    return found ?? this.#byLevel(call, policy.ask, reading);
  }

  /** By what the user's rules say of the call, and what one of them may be there for that the call does not say. */
  #ruled(call: AgentGateCall, reading: CommandReading | undefined): GateDecision | undefined {
    const rules = this.#rules.map(({ rule }) => rule);
    const named = reading && namedConditions(rules, call, reading, this.#ground);
    const byRules = this.#byRules({ ...call, named }, reading);
    const isFinal = byRules !== undefined && byRules.decision !== 'allow';
    const said = isFinal ? byRules : (this.#unknown(call, reading) ?? byRules);
    if (this.#ground.regexTime?.isOver !== true) return said;
    // A rule that refuses or asks counts as met then: what allows is not sure.
    return outOfTime(agentCallName(call), said?.decision === 'allow' ? undefined : said);
  }

  /** Nobody is there to ask: what is to be asked about does not run, what nothing is said about does. */
  #unattended(
    call: AgentGateCall,
    asked: GateDecision | undefined,
    reading: CommandReading | undefined,
  ): GateDecision {
    if (asked) return { ...asked, decision: 'deny', reason: `${asked.reason}, and nobody is asked here` };
    const otherwise = this.#byLevel(call, 'what-matters', reading);
    const rule = `agents.ask nothing${otherwise.decision === 'confirm' ? ` (otherwise ${otherwise.rule})` : ''}`;
    return { decision: 'allow', rule, reason: `${agentCallName(call)} runs unasked` };
  }

  /** By the user's rules: the heaviest word on any part of the call; to allow, each part needs one that allows it. */
  #byRules(call: AgentGateCall, reading: CommandReading | undefined): GateDecision | undefined {
    const parts = partsOf(reading?.commands);
    const guessed = (reading?.guesses ?? []).filter(hasName).map((command) => ({ command }));
    // The heavier word first, for all parts: the time for regular expressions may be over before the last.
    const refused = this.#firstRule('deny', call, [...parts, ...guessed]);
    if (refused) return decided(refused, call);
    const confirmed = this.#firstRule('confirm', call, parts);
    if (confirmed) return decided(confirmed, call);
    // To go to the project, where it is at work, does nothing.
    const moved = parts.filter((part) => !goesTo(this.#ground.root, part));
    const words = (moved.length === 0 ? parts : moved).map((part) => this.#firstRule('allow', call, [part]));
    const [first] = words;
    if (!first || words.includes(undefined)) return undefined;
    const doubt = reading?.doubt ?? this.#reachesElsewhere(call, reading) ?? unclearText(call);
    if (doubt === undefined) return decided(first, call);
    const reason = `${agentCallName(call)}: ${doubt}, so a human has to look at it`;
    return { decision: 'confirm', rule: `in doubt (otherwise ${first.label})`, reason };
  }

  /** The rule with this word that says something about the first of these parts of which any does. */
  #firstRule(word: PolicyWord, call: AgentGateCall, parts: readonly Part[]): LabelledRule | undefined {
    const rules = this.#rules.filter(({ rule }) => rule.decision === word);
    for (const { command } of parts) {
      const found = rules.find(({ rule }) => agentRuleApplies(rule, call, command, this.#ground));
      if (found) return found;
    }
    return undefined;
  }

  /** What a rule that is not there to allow looks at, and the call does not say, may be what it is there for. */
  #unknown(call: AgentGateCall, reading: CommandReading | undefined): GateDecision | undefined {
    const found = this.#rules.find(
      ({ rule }) => rule.decision !== 'allow' && mayBeMeant(rule, call, reading, this.#ground),
    );
    if (!found) return undefined;
    const unclear = unclearText(call);
    const why = unclear === undefined ? '' : ` (${unclear})`;
    const reason = `${agentCallName(call)} does not say what ${found.label} looks at${why}, so a human has to look at it`;
    return { decision: 'confirm', rule: `in doubt (${found.label})`, reason };
  }

  /** A rule on commands says nothing of the folders they run in, nor of the files that a redirection opens. */
  #reachesElsewhere(call: AgentCall, reading: CommandReading | undefined): string | undefined {
    if (!reading) return undefined;
    const cwds = startingFolders(call.cwd, reading);
    const isThere = (path: string) => cwds.every((cwd) => isInside(path, { cwd }, this.#ground));
    const entered = [...foldersEntered(reading)];
    if (entered.some((folder) => folder === undefined || !isThere(folder)) || !isThere(call.cwd))
      return 'it runs outside of the project, or nobody knows where';
    const elsewhere = reading.redirects.some(
      ({ path, writes }) => writes && (path === undefined || !isThere(path)),
    );
    if (elsewhere) return 'it writes to a file outside of the project, or nobody knows which';
    const reaches = reading.redirects.some(({ path = '' }) => network.test(path));
    return reaches ? 'it reaches another machine' : undefined;
  }

  #byLevel(
    call: AgentGateCall,
    level: 'everything' | 'what-matters',
    reading: CommandReading | undefined,
  ): GateDecision {
    const rule = `agents.ask ${level}`;
    const what = agentCallName(call);
    if (level === 'what-matters' && reading === undefined && isHarmless(call, this.#ground))
      return { decision: 'allow', rule, reason: `${what} stays in the project` };
    const unclear = unclearText(call);
    const why = unclear === undefined ? '' : `: ${unclear}`;
    return { decision: 'confirm', rule, reason: `A human has to allow ${what} (${rule})${why}` };
  }
}

function limitsFor(reading: CommandReading | undefined): Limits {
  const { commands = [], guesses = [] } = reading ?? {};
  const regexTime = new RegexTime(() => [...commands, ...guesses].flatMap(textsOfCommand));
  return { regexTime, patternsOf: patternsOfCall(), placesOf: placesOfCall() };
}

/** What bash opens as a connection. */
const network = /^\/+dev\/+(?:tcp|udp)\//;

/** So many files of a call are looked at: each takes a millisecond or two. */
const MAX_PATHS = 200;

/** A call without a command is one part, and so is a line of shell that runs nothing. */
function partsOf(commands: readonly ShellCommand[] = []): readonly Part[] {
  const known = commands.filter(hasName);
  return known.length === 0 ? [{ command: undefined }] : known.map((command) => ({ command }));
}

function decided({ rule, label }: LabelledRule, call: AgentGateCall): GateDecision {
  const because = rule.reason === undefined ? '' : `: ${cleanLine(rule.reason, 1_000)}`;
  const what = agentCallName(call);
  const reasons: Readonly<Record<PolicyWord, string>> = {
    allow: `The policy of this project allows ${what} (${label})${because}`,
    confirm: `A human has to allow ${what} (${label})${because}`,
    deny: `The policy of this project denies ${what} (${label})${because}. Do not try to reach the same by another way`,
  };
  return { decision: rule.decision, rule: label, reason: reasons[rule.decision] };
}

/** What of a call is not understood, for the person who is asked. */
function unclearText({ isUnclear, unknownField }: AgentCall): string | undefined {
  if (unknownField !== undefined)
    return `what it says in "${cleanLine(unknownField, 100)}" is not understood`;
  return isUnclear === true ? 'not all that it says of files is understood' : undefined;
}

/** Whether a command does nothing but go to this very folder. */
function goesTo(folder: string, { command }: Part): boolean {
  const {
    words: [name, path, ...others],
    assignments,
  } = command ?? { words: [], assignments: [] };
  const isAlone = name === 'cd' && others.length === 0 && assignments.length === 0;
  return isAlone && path !== undefined && isAbsolute(path) && resolve(path) === folder;
}

/** Only for exactly this call. */
function serves(grant: GrantedRule, call: AgentGateCall): boolean {
  return grant.callDigest !== undefined && grant.callDigest === call.digest && holdsIn(grant, call);
}
