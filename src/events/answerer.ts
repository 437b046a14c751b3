const AGENT = 'agent:';

/** How an agent of a runner is named as the one who answered, dismissed or decided by a command of its shell. */
export function agentAsAnswerer(runId: string): string {
  return `${AGENT}${runId}`;
}

/** The agent's attempt, where no human has answered. */
function answeringRun(by: string): string | undefined {
  return by.startsWith(AGENT) ? by.slice(AGENT.length) : undefined;
}

/** Whether an agent has answered, and no human. */
export function isAgentsWord(by: string): boolean {
  return answeringRun(by) !== undefined;
}

const FACES = new Map([
  ['tui', 'on the screen'],
  ['cli', 'in the shell'],
  ['web', 'in the browser'],
  ['telegram', 'in Telegram'],
  ['slack', 'in Slack'],
  ['log', 'automatically'],
]);

/** Whose word it is, for those who might take it for a human's: `the word of an agent (run-…), no human`. */
export function agentsWordText(by: string, asker?: string): string {
  return `the word of ${answererText(by, asker).replace(/,$/, '')}`;
}

/**
 * Where an answer was given, in words: for people. A face that is not known has its name in it; `log` is what
 * ended with its task or sprint, by nobody's hand.
 */
export function viaText(via: string): string {
  return FACES.get(via) ?? `through ${via}`;
}

/**
 * Who has answered, for people: an agent is called one, and one that has answered its own question, too.
 *
 * @param asker - The attempt that asked, where that is known.
 */
export function answererText(by: string, asker?: string): string {
  const runId = answeringRun(by);
  // A file does not say who has written it.
  if (runId === undefined) return by === 'file' ? 'somebody' : by;
  return runId === asker ? `the agent that asked (${runId}), no human,` : `an agent (${runId}), no human,`;
}
