// Writes docs/errors.md: every code of a `CliffordError` in src/, with what it says and what to do, as the sources say it.
// npm run docs
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync, Visitor, type Expression, type ObjectProperty, type Program } from 'oxc-parser';
import { ownTool } from '../src/workflow/project/own-tools.ts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/errors.md');

/** Where one error is made: its texts, `…` in place of what is known at run time only. */
type Source = {
  readonly code: string;
  readonly messages: readonly string[];
  readonly fixes: readonly string[];
  readonly recovery: string;
};

const CODE = /^[A-Z]+(?:_[A-Z]+)*$/;

/** The text of the page, as it has to be. */
export async function errorsPage(): Promise<string> {
  const files = (await Array.fromAsync(glob('src/**/*.{ts,tsx}', { cwd: root }))).toSorted();
  const sources: Source[] = [];
  for (const file of files) {
    const { program } = parseSync(file, await readFile(join(root, file), 'utf8'));
    sources.push(...errorsOf(program));
  }
  const codes = Map.groupBy(sources, ({ code }) => code);
  const sections = [...codes].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(section);
  return [HEAD.replace('COUNT', String(codes.size)), ...sections].join('\n\n').concat('\n');
}

const HEAD = `# Errors

Made by \`npm run docs\` from the sources: COUNT codes, each with what it says, and below it what to do. \`…\` stands for
what is known at run time only. Programs that use the library find the code as \`code\` of a \`CliffordError\`. The command
line ends with 2 where the input has to be corrected, else with 1.`;

function section([code, sources]: [string, readonly Source[]]): string {
  const exit = new Set(sources.map(({ recovery }) => (recovery === 'fix-input' ? '2' : '1')));
  const texts = sources.flatMap(({ messages, fixes }) => [
    ...known(messages).map((text) => `clifford: ${text}`),
    ...known(fixes).map((text) => `  ${text}`),
  ]);
  const lines = texts.filter((text, index) => texts.indexOf(text) === index || text.startsWith('  '));
  return `## \`${code}\`\n\nEnds with ${[...exit].toSorted().join(' or ')}.\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``;
}

/** The texts of which a part is known, where there are any. */
function known(texts: readonly string[]): readonly string[] {
  const some = texts.filter((text) => text !== '…');
  return some.length > 0 ? some : texts;
}

function errorsOf(program: Program): Source[] {
  const constants = constantsOf(program);
  const found: Source[] = [];
  const take = (args: readonly unknown[], isWrapper: boolean) => {
    const [first, second, third, fourth] = args as readonly Expression[];
    const texts = (each: Expression | undefined) => (each ? textsOf(each, constants) : ['…']);
    if (!isWrapper && second?.type === 'ObjectExpression') {
      const valueOf = (name: string) =>
        second.properties.find(
          (each): each is ObjectProperty => each.type === 'Property' && nameOf(each) === name,
        )?.value;
      const given = valueOf('recovery') as Expression | undefined;
      const recovery = given ? texts(given).join() : 'fix-input';
      for (const code of texts(valueOf('code') as Expression | undefined).filter((text) => CODE.test(text)))
        found.push({
          code,
          messages: texts(first),
          fixes: texts(valueOf('fix') as Expression | undefined),
          recovery,
        });
    }
    // Functions that make an error of a code that they are given: (code, message, fix) or (message, code, fix, recovery).
    const at = [first, second].findIndex((each) => each?.type === 'Literal' && CODE.test(String(each.value)));
    if (!isWrapper || at === -1) return;
    const [code = ''] = texts(at === 0 ? first : second);
    const recovery = fourth ? texts(fourth).join() : 'fix-input';
    found.push({ code, messages: texts(at === 0 ? second : first), fixes: texts(third), recovery });
  };
  new Visitor({
    NewExpression: ({ callee, arguments: args }) => {
      if (callee.type === 'Identifier' && callee.name.endsWith('Error')) take(args, false);
    },
    CallExpression: ({ callee, arguments: args }) => {
      if (callee.type === 'Super') take(args, false);
      else if (callee.type === 'Identifier' && callee.name.endsWith('Error')) take(args, true);
    },
  }).visit(program);
  return found;
}

function nameOf({ key }: ObjectProperty): string {
  return key.type === 'Identifier' ? key.name : '';
}

/** What stands behind names at the top of a file, and what parameters are when they are not given. */
function constantsOf(program: Program): Map<string, Expression> {
  const constants = new Map<string, Expression>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init) constants.set(id.name, init);
    },
    AssignmentPattern: ({ left, right }) => {
      if (left.type === 'Identifier') constants.set(left.name, right);
    },
  }).visit(program);
  return constants;
}

/** What stands in a template: the name of a tool of Clifford's, or something that is known at run time only. */
function partOf(node: Expression | undefined): string {
  if (!node) return '';
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== 'ownTool')
    return '…';
  const key = node.property.type === 'Identifier' ? node.property.name : '';
  return new Map<string, string>(Object.entries(ownTool)).get(key) ?? '…';
}

/** The texts an expression may be. */
function textsOf(node: Expression, constants: ReadonlyMap<string, Expression>, depth = 0): string[] {
  const inner = (each: Expression) => textsOf(each, constants, depth + 1);
  if (depth > 8) return ['…'];
  switch (node.type) {
    case 'Literal':
      return [String(node.value)];
    case 'TemplateLiteral':
      return [
        node.quasis
          .flatMap(({ value }, index) => [value.cooked ?? value.raw, partOf(node.expressions[index])])
          .join(''),
      ];
    case 'ConditionalExpression':
      return [...inner(node.consequent), ...inner(node.alternate)];
    case 'BinaryExpression': {
      const [left, right] = [node.left, node.right].map((each) => inner(each as Expression));
      return (left ?? []).flatMap((one) => (right ?? []).map((other) => one + other));
    }
    case 'Identifier': {
      const value = constants.get(node.name);
      return value ? inner(value) : ['…'];
    }
    default:
      return ['…'];
  }
}

if (import.meta.main) await writeFile(page, await errorsPage());
