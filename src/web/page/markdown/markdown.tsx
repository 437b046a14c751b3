import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, useMemo, type ReactNode } from 'react';
import { visible } from '../../../lib/text/visible.ts';

const parser = new MarkdownIt({ html: false, breaks: true });

/** Longer texts are shown as they are: nobody reads them formatted, and taking them apart takes its time. */
const MOST_CHARACTERS = 100_000;

/** Markdown of others: HTML in it is text, nothing is loaded from elsewhere, and a link shows where it leads. */
export function Markdown({ text }: { readonly text: string }) {
  const nodes = useMemo(() => nodesOf(text), [text]);
  return <div className="prose">{nodes}</div>;
}

function nodesOf(text: string): ReactNode {
  const shown = visible(text);
  if (shown.length > MOST_CHARACTERS) return <pre>{shown}</pre>;
  return build(parser.parse(shown, {}));
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
      return <code key={key}>{token.content}</code>;
    case 'fence':
    case 'code_block':
      return (
        <pre key={key} tabIndex={0}>
          <code>{token.content}</code>
        </pre>
      );
    case 'softbreak':
    case 'hardbreak':
      return <br key={key} />;
    case 'hr':
      return <hr key={key} />;
    case 'image':
      return <Picture key={key} alt={token.content} source={attribute(token, 'src')} />;
    default:
      return token.content;
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
      {!isBare && <span className="link-target"> ({visible(href)})</span>}
    </>
  );
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}
