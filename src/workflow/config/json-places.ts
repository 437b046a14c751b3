import type { MemberNode, Node, ValueNode } from '@humanwhocodes/momoa';
import type { LineAndColumn } from './config-problem.ts';

/** The key of a member. */
export function nameOf({ name }: MemberNode): string {
  return name.type === 'String' ? name.value : name.name;
}

/** Where a node of a parsed file begins. */
export function placeOf({ loc: { start } }: Node): LineAndColumn {
  return { line: start.line, column: start.column };
}

/** The node at a path, or the one around it that comes nearest. Of keys that stand there twice the last counts. */
export function nearestNode(node: ValueNode, path: readonly (string | number)[]): ValueNode {
  const [step, ...rest] = path;
  if (step === undefined) return node;
  let inner: ValueNode | undefined;
  if (node.type === 'Object') inner = node.members.findLast((each) => nameOf(each) === String(step))?.value;
  if (node.type === 'Array') inner = node.elements[Number(step)]?.value;
  return inner ? nearestNode(inner, rest) : node;
}

/** Whether sections and lists stand in one another more than `levels` deep. Works at any depth. */
export function isDeeperThan(node: ValueNode, levels: number): boolean {
  let level: readonly ValueNode[] = [node];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap(innerNodes);
  }
  return false;
}

function innerNodes(node: ValueNode): ValueNode[] {
  if (node.type === 'Object') return node.members.map(({ value }) => value);
  return node.type === 'Array' ? node.elements.map(({ value }) => value) : [];
}
