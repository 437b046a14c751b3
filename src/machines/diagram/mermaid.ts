import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { Diagram, DiagramState, DiagramTransition } from './model.ts';

/** A state that something is in now: `{ state: 'blocked.question', who: 'task greet' }`. */
export type Mark = { readonly state: string; readonly who: string };

const markStyle = 'fill:#fde68a,stroke:#b45309,stroke-width:3px,color:#1f2937';

/**
 * A diagram as Mermaid text (`stateDiagram-v2`), which GitHub and many editors draw. States that are
 * marked stand out and name who is in them.
 *
 * States are declared before they are used: some renderers show raw ids otherwise.
 */
export function toMermaid({ name, states, transitions }: Diagram, marks: readonly Mark[] = []): string {
  const marked = new Map(
    [...Map.groupBy(marks, ({ state }) => state)].map(([state, of]) => [state, of.map(({ who }) => who)]),
  );
  const lines = [
    '---',
    `title: ${name}`,
    '---',
    'stateDiagram-v2',
    ...states.flatMap((state) => declare(state, marked, '  ')),
    ...edges(transitions).map((edge) => `  ${edge}`),
    ...leaves(states)
      .filter(({ isEnd }) => isEnd)
      .map(({ id }) => `  ${identifier(id)} --> [*]`),
    ...(marked.size === 0 ? [] : [`  classDef now ${markStyle}`]),
    ...[...marked.keys()].map((id) => `  class ${identifier(id)} now`),
  ];
  return `${lines.join('\n')}\n`;
}

function declare(
  { id, name, isInitial, children }: DiagramState,
  marked: ReadonlyMap<string, readonly string[]>,
  indent: string,
): string[] {
  const who = marked.get(id) ?? [];
  const label = [name, ...who].map(quotable).join('<br/>');
  const head = `${indent}state "${label}" as ${identifier(id)}`;
  const inside = children.flatMap((child) => declare(child, marked, `${indent}  `));
  return [
    ...(inside.length === 0 ? [head] : [`${head} {`, ...inside, `${indent}}`]),
    ...(isInitial ? [`${indent}[*] --> ${identifier(id)}`] : []),
  ];
}

/** One arrow per pair of states: a dozen between the same two cannot be told apart. */
function edges(transitions: readonly DiagramTransition[]): string[] {
  const pairs = Map.groupBy(
    transitions,
    ({ source, target }) => `${identifier(source)} --> ${identifier(target)}`,
  );
  return [...pairs].map(([pair, of]) => `${pair} : ${[...new Set(of.map(labelOf))].join('<br/>')}`);
}

function labelOf({ event, guard }: DiagramTransition): string {
  return quotable(guard === undefined ? event : `${event} [${guard}]`);
}

function leaves(states: readonly DiagramState[]): DiagramState[] {
  return states.flatMap((state) => (state.children.length === 0 ? [state] : leaves(state.children)));
}

/** Mermaid's ids are words. */
function identifier(id: string): string {
  return id.replaceAll(/\W/g, '_');
}

/** Text without what ends a label or a statement in Mermaid. */
function quotable(text: string): string {
  return cleanLine(text).replaceAll(/[":;#<>{}]/g, "'");
}
