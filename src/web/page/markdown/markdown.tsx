import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, useMemo, type ReactNode } from 'react';
import { visible, visibleLine } from '../../../lib/text/visible.ts';
import { isTicked, withCheckBoxes } from '../../../views/text/check-boxes.ts';
import { withDeepText } from '../../../views/text/deep-text.ts';
import { inPieces } from '../parts/in-pieces.ts';
import { inTokens } from '../parts/in-tokens.tsx';
import { CodeBlock } from './code-block.tsx';

const parser = withDeepText(withCheckBoxes(new MarkdownIt({ html: false, breaks: true })));

/** Longer texts are shown as they are: nobody reads them formatted, and taking them apart takes its time. */
const MOST_CHARACTERS = 100_000;
/** So is a text of more parts: each is an element, or more. */
const MOST_PARTS = 10_000;
/** The options of a command are not broken within a line, where the code is no longer than that. */
const LONGEST_WHOLE = 200;

type MarkdownProps = {
  readonly text: string;
  /** It is of a file, whose lines end where its editor has wrapped them: within a paragraph that is a space. */
  readonly isWrapped?: boolean;
  /** What stands above it already: its first heading is left out where it says the same. */
  readonly heading?: string;
};

/** Markdown of others: HTML in it is text, nothing is loaded from elsewhere, and a link shows where it leads. */
export function Markdown({ text, isWrapped = false, heading }: MarkdownProps) {
  const nodes = useMemo(() => nodesOf(text, { isWrapped, heading }), [text, isWrapped, heading]);
  return <div className="prose">{nodes}</div>;
}

/** The same on one line, such as a heading: emphasis and code of it show, and no block begins. */
export function MarkdownLine({ text }: Pick<MarkdownProps, 'text'>) {
  const nodes = useMemo(() => build(parser.parseInline(visibleLine(text), {})), [text]);
  return <bdi className="prose-line">{nodes}</bdi>;
}

/** Whether a text is this heading alone. */
export function isHeadingOnly(text: string, heading: string): boolean {
  const shown = visible(text);
  return shown.length <= MOST_CHARACTERS && belowHeading(parser.parse(shown, {}), heading).length === 0;
}

/** What follows the heading that stands above already: all of it where the text begins with something else. */
function belowHeading(tokens: readonly Token[], heading: string | undefined): readonly Token[] {
  const [first, words] = tokens;
  const isSaid =
    heading !== undefined && first?.type === 'heading_open' && words?.content === visibleLine(heading);
  return isSaid ? tokens.slice(tokens.findIndex(({ type }) => type === 'heading_close') + 1) : tokens;
}

function nodesOf(
  text: string,
  { isWrapped, heading }: { readonly isWrapped: boolean; readonly heading: string | undefined },
): ReactNode {
  const shown = visible(text);
  const tokens = shown.length > MOST_CHARACTERS ? undefined : parser.parse(shown, {});
  if (!tokens || partsOf(tokens) > MOST_PARTS) return <pre>{inPieces(shown)}</pre>;
  const own = belowHeading(tokens, heading);
  return build(isWrapped ? own.map(unwrapped) : own);
}

/** With a space in place of each end of a line that is no break in markdown. */
function unwrapped(token: Token): Token {
  for (const child of token.children ?? [])
    if (child.type === 'softbreak') [child.type, child.content] = ['text', ' '];
  return token;
}

function partsOf(tokens: readonly Token[]): number {
  return tokens.reduce((parts, { children }) => parts + 1 + (children?.length ?? 0), 0);
}

/** What is open, and what is in it so far. */
type Open = { readonly token: Token | undefined; readonly children: ReactNode[] };

/** The tokens as elements. Of a tag that is not known only what is in it remains. */
function build(tokens: readonly Token[]): ReactNode {
  const root: Open = { token: undefined, children: [] };
  const open = [root];
  for (const [key, token] of tokens.entries()) {
    const inner = open.at(-1) ?? root;
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) inner.children.push(leaf(token, key));
    else if (open.length > 1) {
      open.pop();
      (open.at(-1) ?? root).children.push(element(inner, key));
    }
  }
  return root.children;
}

/** Headings of a text stand below those of the page. */
const tags: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' };
const known = new Set('p ul ol li blockquote strong em s table thead tbody tr th td h3 h4 h5 h6'.split(' '));

function element({ token, children }: Open, key: number): ReactNode {
  if (!token || token.hidden) return <Span key={key}>{children}</Span>;
  if (token.type === 'link_open')
    return (
      <Link key={key} href={attribute(token, 'href')}>
        {children}
      </Link>
    );
  const ticked = isTicked(token);
  if (ticked !== undefined)
    return (
      <li key={key} className="check-item">
        <input type="checkbox" disabled checked={ticked} aria-label={ticked ? 'Done' : 'Not done'} />
        {children}
      </li>
    );
  const tag = tags[token.tag] ?? token.tag;
  if (!known.has(tag)) return <Span key={key}>{children}</Span>;
  const start = tag === 'ol' ? Number(attribute(token, 'start') || 1) : undefined;
  return createElement(tag, { key, ...(start === undefined ? {} : { start }) }, ...children);
}

function Span({ children }: { readonly children: ReactNode }) {
  return <>{children}</>;
}

function leaf(token: Token, key: number): ReactNode {
  switch (token.type) {
    case 'inline':
      return <Span key={key}>{build(token.children ?? [])}</Span>;
    case 'code_inline':
      return (
        <code key={key}>
          {token.content.length > LONGEST_WHOLE ? inPieces(token.content) : inTokens(token.content)}
        </code>
      );
    case 'fence':
    case 'code_block':
      return <CodeBlock key={key} text={token.content} info={token.info} />;
    case 'softbreak':
    case 'hardbreak':
      return <br key={key} />;
    case 'hr':
      return <hr key={key} />;
    case 'image':
      return <Picture key={key} alt={token.content} source={attribute(token, 'src')} />;
    default:
      return inPieces(token.content);
  }
}

/** A picture is named, and not loaded: who looks at a question is nobody's business. */
function Picture({ alt, source }: { readonly alt: string; readonly source: string }) {
  return (
    <span className="link-target">
      [picture{alt === '' ? '' : `: ${alt}`}, {source}]
    </span>
  );
}

function Link({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!/^(?:https?|mailto):/i.test(href))
    return (
      <Span>
        {children} ({href})
      </Span>
    );
  const isBare = Array.isArray(children) && children.length === 1 && children[0] === href;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!isBare && <span className="link-target"> ({inPieces(visible(href))})</span>}
    </>
  );
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}
