import type { AgentErrorClass } from './agent-signal.ts';

/** Words that tell of an error of a class, the class that is the easiest to mistake for another one first. */
const words: readonly (readonly [AgentErrorClass, RegExp])[] = [
  [
    'session',
    /no rollout found|no (?:such )?(?:session|conversation)\b|session (?:id|identifier|not found)/i,
  ],
  [
    'model',
    /model\b.{0,80}(?:not (?:found|supported|available)|does not exist)|unknown model|no such model/i,
  ],
  [
    'auth',
    /\b40[13]\b|unauthori[sz]ed|unauthenticated|authenticat|forbidden|api key|not logged in|log in again/i,
  ],
  [
    'network',
    /\b5\d\d\b|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|network|fetch failed|connect|timed? ?out|overloaded|unavailable|high demand|(?:server|internal) error/i,
  ],
  ['config', /config|settings|invalid (?:option|value)|unexpected argument/i],
];

/** What kind of error a message of an agent CLI tells of, where it says so in words only. */
export function errorClassOf(message: string): AgentErrorClass {
  return words.find(([, word]) => word.test(message))?.[0] ?? 'other';
}
