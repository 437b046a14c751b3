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
  const programs = await Promise.all(
    files.map(async (file) => parseSync(file, await readFile(join(root, file), 'utf8')).program),
  );
  const exported = exportedFunctions(programs);
  const sources = programs.flatMap((program) => errorsOf(program, exported));
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

function errorsOf(program: Program, exported: Names): Source[] {
  const names: Known = { own: namesOf(program), exported };
  const found: Source[] = [];
  const take = (args: readonly unknown[], isWrapper: boolean) => {
    const [first, second, third, fourth] = args as readonly Expression[];
    const texts = (each: Expression | undefined) => (each ? textsOf(each, names) : ['…']);
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

/** What a name stands for: the expressions that it may be, or its function return, and the names of the file they are in. */
type Meaning = {
  readonly expressions: readonly Expression[];
  readonly isFunction: boolean;
  readonly names: Names;
};
type Names = ReadonlyMap<string, Meaning>;
/** The names of a file, and the functions of all others. */
type Known = { readonly own: Names; readonly exported: Names };

/** What stands behind the names of a file, and what parameters are when they are not given. */
function namesOf(program: Program): Names {
  const names = new Map<string, Meaning>();
  const add = (name: string, expressions: readonly Expression[], isFunction: boolean) =>
    names.set(name, { expressions, isFunction, names });
  /** What the functions return that a visit is in, the innermost last. */
  const returned: Expression[][] = [];
  const enter = () => void returned.push([]);
  const leave = () => returned.pop() ?? [];
  const ofArrows = new Map<Expression, readonly Expression[]>();
  new Visitor({
    'VariableDeclarator:exit': ({ id, init }) => {
      if (id.type !== 'Identifier' || !init) return;
      const ofArrow = ofArrows.get(init);
      add(id.name, ofArrow ?? [init], ofArrow !== undefined);
    },
    AssignmentPattern: ({ left, right }) => {
      if (left.type === 'Identifier') add(left.name, [right], false);
    },
    ReturnStatement: ({ argument }) => {
      if (argument) returned.at(-1)?.push(argument);
    },
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': ({ id }) => {
      const all = leave();
      if (id) add(id.name, all, true);
    },
    FunctionExpression: enter,
    'FunctionExpression:exit': () => void leave(),
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': (node) => {
      const all = leave();
      ofArrows.set(node, node.body.type === 'BlockStatement' ? all : [node.body]);
    },
  }).visit(program);
  return names;
}

/** The functions that files export, without those of one name. */
function exportedFunctions(programs: readonly Program[]): Names {
  const exported = programs.flatMap((program) => {
    const names = namesOf(program);
    return program.body.flatMap((node): [string, Meaning][] => {
      if (node.type !== 'ExportNamedDeclaration' || node.declaration?.type !== 'FunctionDeclaration')
        return [];
      const name = node.declaration.id?.name ?? '';
      const meaning = names.get(name);
      return meaning ? [[name, meaning]] : [];
    });
  });
  const byName = Map.groupBy(exported, ([name]) => name);
  return new Map([...byName.values()].filter(({ length }) => length === 1).flat());
}

/** What stands in a template: the name of a tool of Clifford's, or something that is known at run time only. */
function partOf(node: Expression | undefined): string {
  if (!node) return '';
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== 'ownTool')
    return '…';
  const key = node.property.type === 'Identifier' ? node.property.name : '';
  return new Map<string, string>(Object.entries(ownTool)).get(key) ?? '…';
}

/** The texts an expression may be: of calls, what functions of these sources return. */
function textsOf(node: Expression, { own, exported }: Known, depth = 0): string[] {
  const inner = (each: Expression) => textsOf(each, { own, exported }, depth + 1);
  if (depth > 8) return ['…'];
  switch (node.type) {
    case 'Literal':
      return [String(node.value)];
    case 'TemplateLiteral':
      return [
        node.quasis
          .map(({ value }, index) => `${value.cooked ?? value.raw}${partOf(node.expressions[index])}`)
          .join('')
          .replaceAll(/…{2,}/g, '…'),
      ];
    case 'ConditionalExpression':
      return [...inner(node.consequent), ...inner(node.alternate)];
    case 'LogicalExpression':
      return [...inner(node.left), ...inner(node.right)];
    case 'BinaryExpression': {
      const [left, right] = [node.left, node.right].map((each) => inner(each as Expression));
      return (left ?? []).flatMap((one) => (right ?? []).map((other) => one + other));
    }
    case 'Identifier': {
      const meaning = own.get(node.name);
      return meaning && !meaning.isFunction ? meaning.expressions.flatMap(inner) : ['…'];
    }
    case 'CallExpression': {
      const name = node.callee.type === 'Identifier' ? node.callee.name : '';
      const meaning = own.get(name) ?? exported.get(name);
      if (!meaning?.isFunction) return ['…'];
      return meaning.expressions.flatMap((each) =>
        textsOf(each, { own: meaning.names, exported }, depth + 1),
      );
    }
    default:
      return ['…'];
  }
}

if (import.meta.main) await writeFile(page, await errorsPage());
