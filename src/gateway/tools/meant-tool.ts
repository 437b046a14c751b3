import { meant, nearestOf } from '../../lib/text/did-you-mean.ts';

/** No tool has a longer name. */
const MAX_LENGTH = 100;

/** `; did you mean "mcp__fs__read"?`: the tool whose own part of its name is near, also where `mcp__` or its server is left out. */
export function meantTool(name: string, tools: readonly string[]): string {
  const called = name.slice(0, MAX_LENGTH);
  const near = nearestOf(ownPart(called), tools.map(ownPart));
  const found = tools.filter((tool) => ownPart(tool) === near);
  return meant(nearestOf(called, found) ?? found[0]);
}

/** `read` of `mcp__fs__read`. */
function ownPart(name: string): string {
  return name.split('__').at(-1) ?? name;
}
