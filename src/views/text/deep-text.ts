import type { default as MarkdownIt } from 'markdown-it';

type Parser = InstanceType<typeof MarkdownIt>;

/** What is nested so deep in lists and quotations a parser leaves out. */
const DEEPEST = 98;

/** Has a parser take a text that is nested deeper than it goes for one of code: nothing of it is left out. */
export function withDeepText(parser: Parser): Parser {
  parser.core.ruler.after('block', 'deep-text', (state) => {
    if (state.tokens.every(({ level }) => level < DEEPEST)) return;
    const whole = new state.Token('code_block', 'code', 0);
    whole.content = state.src;
    state.tokens = [whole];
  });
  return parser;
}
