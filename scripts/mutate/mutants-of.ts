import { parseSync, Visitor, type Expression, type Node, type Span } from 'oxc-parser';

/** One change of a source that changes what it does, if anything depends on that. */
export type Mutant = {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly kind: string;
  readonly before: string;
  readonly after: string;
  /** Characters of the source that `after` replaces. */
  readonly start: number;
  readonly end: number;
};

/** Operators that are easily taken for one another. */
const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

const METHODS: Readonly<Record<string, string>> = {
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
  findLastIndex: 'findIndex',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/** Calls that leave something out or put it in order: what they are called on has the same type. */
const NARROWING = new Set(['filter', 'slice', 'toSorted', 'toReversed', 'trim', 'trimEnd', 'toLowerCase']);

/** Fields that are texts for people: tests of every word would only say it twice. */
const TEXTS = new Set([
  'message',
  'fix',
  'description',
  'title',
  'label',
  'help',
  'recovery',
  'code',
  'cause',
]);

/**
 * Every mutant of a TypeScript source, in the order of the source. Types, imports and the texts of errors have none.
 *
 * @param file its path, of which the ending counts.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const found: Mutant[] = [];
  const text = ({ start, end }: Span) => source.slice(start, end);
  const change = (kind: string, place: Span, after: string) => {
    if (silent > 0) return;
    const line = source.slice(0, place.start).split('\n').length;
    found.push({ line, kind, before: text(place), after, start: place.start, end: place.end });
  };
  /** The element with the comma after it, so that what is left still parses. */
  const withComma = (place: Span): Span => {
    const comma = /^\s*,/.exec(source.slice(place.end));
    return { start: place.start, end: place.end + (comma?.[0].length ?? 0) };
  };
  const operator = (node: Span & { left: Node; right: Node; operator: string }, after: string) => {
    const start = node.left.end + source.slice(node.left.end, node.right.start).indexOf(node.operator);
    change('operator', { start, end: start + node.operator.length }, after);
  };

  // Within types and errors nothing is changed.
  let silent = 0;
  const enter = () => void silent++;
  const leave = () => void silent--;
  const isError = (callee: Expression) => callee.type === 'Identifier' && callee.name.endsWith('Error');

  new Visitor({
    TSTypeAnnotation: enter,
    'TSTypeAnnotation:exit': leave,
    TSTypeAliasDeclaration: enter,
    'TSTypeAliasDeclaration:exit': leave,
    TSInterfaceDeclaration: enter,
    'TSInterfaceDeclaration:exit': leave,
    TSTypeParameterInstantiation: enter,
    'TSTypeParameterInstantiation:exit': leave,
    TSLiteralType: enter,
    'TSLiteralType:exit': leave,
    ImportDeclaration: enter,
    'ImportDeclaration:exit': leave,
    NewExpression: ({ callee }) => {
      if (isError(callee)) enter();
    },
    'NewExpression:exit': ({ callee }) => {
      if (isError(callee)) leave();
    },
    CallExpression: (node) => {
      const { callee } = node;
      if (isError(callee)) return enter();
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name } = callee.property;
      const other = METHODS[name];
      if (other !== undefined) change('method', callee.property, other);
      if (NARROWING.has(name)) change('drop-call', node, text(callee.object));
    },
    'CallExpression:exit': ({ callee }) => {
      if (isError(callee)) leave();
    },
    IfStatement: (node) => {
      change('negate-if', node.test, `!(${text(node.test)})`);
      if (!node.alternate) change('remove-if', node, 'void 0;');
    },
    ConditionalExpression: ({ test }) => change('negate-condition', test, `!(${text(test)})`),
    WhileStatement: ({ test }) => change('negate-condition', test, `!(${text(test)})`),
    BinaryExpression: (node) => {
      const other = OPERATORS[node.operator];
      // A text that is put together is no arithmetic.
      const isText = [node.left, node.right].some(
        (each) =>
          each.type === 'TemplateLiteral' || (each.type === 'Literal' && typeof each.value === 'string'),
      );
      if (other !== undefined && !(isText && node.operator === '+')) operator(node, other);
    },
    LogicalExpression: (node) => {
      const kind = node.operator === '??' ? 'drop-nullish' : 'drop-operand';
      change(kind, node, text(node.left));
      change(kind, node, text(node.right));
      const other = OPERATORS[node.operator];
      if (other !== undefined) operator(node, other);
    },
    UnaryExpression: (node) => {
      if (node.operator === '!') change('drop-not', node, text(node.argument));
    },
    ExpressionStatement: (node) => {
      const { expression } = node;
      const isSuper = expression.type === 'CallExpression' && expression.callee.type === 'Super';
      if (isSuper) return;
      change('remove-statement', node, 'void 0;');
      if (expression.type === 'AwaitExpression')
        change('remove-await', node, `void ${text(expression.argument)};`);
    },
    ReturnStatement: ({ argument }) => {
      if (argument && text(argument) !== 'undefined') change('return-nothing', argument, 'undefined');
    },
    ContinueStatement: (node) => change('remove-jump', node, 'void 0;'),
    BreakStatement: (node) => change('remove-jump', node, 'void 0;'),
    Literal: (node) => {
      if (typeof node.value === 'boolean') change('boolean', node, String(!node.value));
      if (typeof node.value === 'number') change('constant', node, String(another(node.value)));
      if (!('regex' in node) || !node.regex) return;
      const { pattern, flags } = node.regex;
      if (pattern.startsWith('^')) change('regex', node, `/${pattern.slice(1) || '(?:)'}/${flags}`);
      if (/[^\\]\$$/.test(pattern)) change('regex', node, `/${pattern.slice(0, -1)}/${flags}`);
    },
    ObjectExpression: ({ properties }) => {
      for (const each of properties) {
        const isText = each.type === 'Property' && each.key.type === 'Identifier' && TEXTS.has(each.key.name);
        if (!isText) change('drop-field', withComma(each), '');
      }
    },
    ArrayExpression: ({ elements }) => {
      for (const each of elements) if (each) change('drop-element', withComma(each), '');
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** A number that is noticed where the first one matters: one less of 500 million is not. */
function another(value: number): number {
  if (value === 0) return 1;
  return value < 100 ? value - 1 : value * 2;
}

/** Whether what a mutant makes of its source still is a program: without the only element of a pattern, it may not be. */
export function parses(file: string, broken: string): boolean {
  return parseSync(file, broken).errors.length === 0;
}

/** The source with the mutant in it. */
export function applyTo(source: string, { start, end, after }: Mutant): string {
  return source.slice(0, start) + after + source.slice(end);
}
