import {
  forEachChild,
  type Command,
  type CommandExpansionPart,
  type ParameterExpansionPart,
  type SyntaxNode,
  type TestExpression,
} from 'unbash';
import { holdsCode, isRisky } from './variable-risk.ts';
import { literalWord } from './literal-word.ts';

/** Why a piece of syntax leaves open what runs. Where it `isBroken`, another shell, or the same, cuts it differently. */
export type SyntaxDoubt = { readonly reason: string; readonly isBroken: boolean };

/** The doubt about one node by itself, without what is below it. */
export function syntaxDoubt(node: SyntaxNode): SyntaxDoubt | undefined {
  if (node.type === 'Script' && node.errors !== undefined && node.errors.length > 0) {
    return broken('it is no correct text of a shell');
  }
  if (node.type === 'ArithmeticCommand' || node.type === 'ArithmeticFor')
    return broken('it calculates with ((…))');
  if (node.type === 'TestCommand') {
    return isPlainTest(node.expression) ? undefined : broken('shells read its [[…]] in different ways');
  }
  if (node.type === 'Command' && goesOnAfterBoth(node)) return broken('shells read &> in different ways');
  if (node.type === 'HereDoc') {
    if (node.closing === undefined) return broken('a here-document has no end');
    if (!/^(?:[\w.-]+|'[\w.-]+'|"[\w.-]+"|\\[\w.-]+)$/.test(node.delimiter?.text ?? ''))
      return broken('shells see the end of its here-document at different places');
  }
  if (node.type === 'CommandExpansion' && node.text.startsWith('`') && node.text.includes('\\'))
    return broken('shells read a \\ in `…` in different ways');
  if (node.type === 'CommandExpansion' && losesSemicolon(node))
    return broken('bash loses a ; behind a here-document in $(…)');
  if (node.type === 'ParameterExpansion' && /['"\\`]/.test(node.text))
    return broken('shells read quotes in ${…} in different ways');
  const reason = reasonFor(node);
  return reason === undefined ? undefined : { reason, isBroken: false };
}

function broken(reason: string): SyntaxDoubt {
  return { reason, isBroken: true };
}

/** `a &>f rm` is for dash `a &` and then `>f rm`. */
function goesOnAfterBoth({ prefix, name, suffix }: Command): boolean {
  const items = [...prefix, ...(name === undefined ? [] : [name]), ...suffix];
  const at = items.findIndex((item) => item.type === 'Redirect' && item.operator.startsWith('&'));
  return at >= 0 && items.slice(at).some((item) => item.type === 'Word' || item.type === 'Assignment');
}

/**
 * Bash 5.2 prints what it has parsed of `$(…)` and parses that: behind a here-document it prints no `;` between the next two
 * commands, and `rm a; rm b` is `rm a rm b`.
 */
function losesSemicolon(node: CommandExpansionPart): boolean {
  if (!/<<[^]*;/.test(node.text)) return false;
  let text = node.text;
  const waiting: SyntaxNode[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    // The same text elsewhere in place of the body leaves the body, and its `;`.
    if (next.type === 'HereDoc') text = text.replace(next.body.text, () => '');
    forEachChild(next, (child) => {
      waiting.push(child);
    });
  }
  return /<<[^]*;/.test(text);
}

function reasonFor(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Function':
      return 'it defines a function';
    case 'Coproc':
      return 'it starts a coprocess';
    case 'Select':
      return 'it asks with select';
    case 'For':
      return isRisky(node.name.value, undefined) ? `it sets ${node.name.value}` : undefined;
    case 'ProcessSubstitution':
      return 'a command is used as a file';
    case 'ExtendedGlob':
      return 'it has an extended pattern';
    case 'LocaleString':
      return 'it has a text that is translated';
    case 'FileDescriptorVariable':
      return 'a redirection sets a variable';
    case 'ArrayValue':
      return 'it has an array';
    case 'ParameterExpansion':
      return parameterReason(node);
    case 'ArithmeticExpansion':
      // The value of a variable is calculated, too, with the substitutions in it.
      return /^\$(?:\(\(|\[)[\d\s+*%()<>=!&|^~?:,/-]*(?:\)\)|\])$/.test(node.text)
        ? undefined
        : 'it calculates with variables';
    case 'CommandExpansion':
      if (node.text.startsWith('${')) return 'shells read ${ …; } in different ways';
      return node.script === undefined ? 'a substitution is nested too deep' : undefined;
    case 'SingleQuoted':
      if (/(?:^|[^\\])(?:\\\\)*\\$/.test(node.value))
        return 'shells read a \\ before a quote in different ways';
      return elementReason(node.value);
    case 'AnsiCQuoted':
      return ansiReason(node.text, node.value) ?? elementReason(node.value);
    case 'Assignment':
      return assignmentReason(node);
    case 'Word':
      return node.parts === undefined ? (historyReason(node.text) ?? elementReason(node.value)) : undefined;
    case 'Literal':
      return historyReason(node.text) ?? elementReason(node.value);
    default:
      return undefined;
  }
}

function parameterReason({
  parameter,
  prefix,
  index,
  operation,
}: ParameterExpansionPart): string | undefined {
  const isName = /^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])$/.test(parameter);
  const isPlainIndex = index === undefined || /^(?:\d+|[@*])$/.test(index.text);
  if (!isName || prefix === '!' || !isPlainIndex) return 'a variable is read in a roundabout way';
  if (operation?.type === 'Transform' || operation?.type === 'Unknown' || operation?.type === 'Names')
    return 'a variable is read in a roundabout way';
  if (operation?.type === 'Default' && operation.operator.endsWith('='))
    return 'an expansion sets a variable';
  if (operation?.type !== 'Slice') return undefined;
  const isPlain = [operation.offset, operation.length].every((word) => /^[\s\d-]*$/.test(word?.text ?? ''));
  return isPlain ? undefined : 'it calculates with variables';
}

const plainEscape = /\\(?:[abeEfnrtv\\"?]|x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8})/g;

function ansiReason(text: string, value: string): string | undefined {
  // `\'`, which ends it elsewhere, `\c` and `\x{…}`, which not every bash has, and a `\` before a line break.
  if (text.replaceAll(plainEscape, '').includes('\\')) return "shells read a \\ in $'…' in different ways";
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]/.test(value)
    ? 'it has a control character'
    : undefined;
}

function assignmentReason({
  name,
  value,
  index,
  append,
}: Extract<SyntaxNode, { type: 'Assignment' }>): string | undefined {
  if (index !== undefined) return 'it has an array';
  const text = value.type === 'Word' ? literalWord(value) : undefined;
  if (isRisky(name, append === true ? undefined : text)) return `it sets ${name}`;
  return holdsCode(text) ? `${name} holds what a shell may run` : undefined;
}

/** What a shell may run of a text that stands there for itself. */
export function hiddenText(node: SyntaxNode): string | undefined {
  const value = 'value' in node ? node.value : undefined;
  return typeof value === 'string' && elementReason(value) !== undefined ? value : undefined;
}

/** Whoever reads it as the name of a variable runs what is between the brackets: `[ -v x ]`, `read`, `((…))`. */
function elementReason(value: string): string | undefined {
  const holds = value.split(']').some((piece) => {
    const at = piece.indexOf('[');
    return at >= 0 && /\$\(|`/.test(piece.slice(at));
  });
  return holds ? 'it holds what a shell may run' : undefined;
}

/** In a terminal `!x` is a command of before. */
function historyReason(text: string): string | undefined {
  return /(?:^|[^\\$#])!(?![\s=(]|$)/.test(text) ? 'a ! may stand for an earlier command' : undefined;
}

const fileTests = new Set('bcdefghknprstuwxzLNSGO'.split('').map((letter) => `-${letter}`));
const textTests = new Set(['=', '==', '!=', '-nt', '-ot', '-ef']);

/** Whether other shells run nothing for it either, and no variable is calculated. */
function isPlainTest(expression: TestExpression): boolean {
  if (expression.type === 'TestNot') return isPlainTest(expression.operand);
  if (expression.type === 'TestUnary') return fileTests.has(expression.operator);
  return expression.type === 'TestBinary' && textTests.has(expression.operator);
}
