import { toDirectedGraph, type DirectedGraphEdge, type DirectedGraphNode } from 'xstate/graph';
import type { AnyStateMachine } from 'xstate';

/** A state of a machine. One with children is drawn around them. */
export type DiagramState = {
  /** Dotted path: `active.starting`. */
  readonly id: string;
  readonly name: string;
  /** Entered first within its parent. */
  readonly isInitial: boolean;
  /** Nothing leads out of it. */
  readonly isEnd: boolean;
  readonly children: readonly DiagramState[];
};

/** One way from a state to another. */
export type DiagramTransition = {
  readonly source: string;
  readonly target: string;
  readonly event: string;
  readonly guard: string | undefined;
};

/** A machine as every exporter takes it: what XState knows stays behind this. */
export type Diagram = {
  readonly name: string;
  readonly states: readonly DiagramState[];
  readonly transitions: readonly DiagramTransition[];
};

/**
 * The states and transitions of a machine. Transitions that stay where they are, i.e. only note
 * something or mark an event as legal, are left out; those of the machine itself leave each of its
 * outermost states.
 */
export function diagramOf(machine: AnyStateMachine): Diagram {
  const root = toDirectedGraph(machine);
  const transitions = [
    ...root.edges.filter(isMove).flatMap((edge) => root.children.map((child) => transition(edge, child))),
    ...root.children.flatMap(transitionsFrom),
  ];
  const sources = new Set(transitions.map(({ source }) => source));
  return { name: machine.id, states: root.children.map((node) => state(node, sources, false)), transitions };
}

function state(node: DirectedGraphNode, sources: ReadonlySet<string>, canLeave: boolean): DiagramState {
  const { parent, key } = node.stateNode;
  const id = idOf(node);
  const leaves = canLeave || sources.has(id);
  const children = node.children.map((child) => state(child, sources, leaves));
  return {
    id,
    name: key,
    isInitial: parent?.initial.target.some((target) => target === node.stateNode) ?? false,
    isEnd: !leaves && children.length === 0,
    children,
  };
}

function transitionsFrom(node: DirectedGraphNode): DiagramTransition[] {
  const own = node.edges.filter(isMove).map((edge) => transition(edge, node));
  return [...own, ...node.children.flatMap(transitionsFrom)];
}

function transition(edge: DirectedGraphEdge, source: DirectedGraphNode): DiagramTransition {
  return {
    source: idOf(source),
    target: edge.target.path.join('.'),
    event: edge.transition.eventType,
    guard: guardName(edge.transition.guard),
  };
}

function isMove({ transition: { target } }: DirectedGraphEdge): boolean {
  return target !== undefined && target.length > 0;
}

function idOf({ stateNode }: DirectedGraphNode): string {
  return stateNode.path.join('.');
}

/** Machines made with `setup()` name their guards. */
function guardName(guard: unknown): string | undefined {
  if (guard === undefined) return undefined;
  if (typeof guard === 'string') return guard;
  if (typeof guard === 'object' && guard !== null && 'type' in guard) return String(guard.type);
  return 'condition';
}
