/** What a Mermaid state diagram says. */
export type ParsedDiagram = {
  /** In the order they are declared. */
  readonly states: string[];
  readonly labels: Map<string, string>;
  /** Between two states; to and from `[*]` they are not listed. */
  readonly arrows: { source: string; target: string; labels: string[] }[];
  readonly marked: string[];
};

const statement = {
  declaration: /^state "([^"#;:{}\n]*)" as (\w+)( \{)?$/,
  closing: /^\}$/,
  start: /^\[\*\] --> (\w+)$/,
  end: /^(\w+) --> \[\*\]$/,
  arrow: /^(\w+) --> (\w+) : ([^":;#\n]+)$/,
  classDef: /^classDef (\w+) (?:[\w-]+:[#\w]+,?)+$/,
  class: /^class (\w+) (\w+)$/,
};

/**
 * A strict parser of the part of Mermaid's `stateDiagram-v2` that Clifford prints: each line has to be
 * one of its statements, each name declared before it is used, each brace closed. (Mermaid itself
 * parses in a browser only.)
 *
 * @throws {Error} naming the line.
 */
export function parseMermaid(text: string): ParsedDiagram {
  const [, title, , kind, ...lines] = text.split('\n');
  if (!/^title: \w+$/.test(title ?? '') || kind !== 'stateDiagram-v2')
    throw new Error(`not a state diagram: ${text}`);
  const parsed: ParsedDiagram = { states: [], labels: new Map(), arrows: [], marked: [] };
  const classes = new Set<string>();
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    if (line === '' && index === lines.length - 1) continue;
    const refuse = (why: string) => new Error(`line ${index + 5}, ${why}: ${line}`);
    const known = (id = '') => {
      if (!parsed.states.includes(id)) throw refuse(`${id} is not declared`);
      return id;
    };
    const code = line.trim();
    const match = Object.entries(statement)
      .map(([name, pattern]) => ({ name, groups: pattern.exec(code)?.slice(1) }))
      .find(({ groups }) => groups !== undefined);
    if (!match?.groups) throw refuse('no statement');
    const [first, second, third] = match.groups;
    switch (match.name) {
      case 'declaration':
        if (second === undefined || parsed.states.includes(second)) throw refuse('declared twice');
        parsed.states.push(second);
        parsed.labels.set(second, first ?? '');
        if (third !== undefined) depth += 1;
        break;
      case 'closing':
        depth -= 1;
        if (depth < 0) throw refuse('nothing is open');
        break;
      case 'start':
      case 'end':
        known(first);
        break;
      case 'arrow':
        parsed.arrows.push({
          source: known(first),
          target: known(second),
          labels: (third ?? '').split('<br/>'),
        });
        break;
      case 'classDef':
        classes.add(first ?? '');
        break;
      default:
        if (!classes.has(second ?? '')) throw refuse('unknown class');
        parsed.marked.push(known(first));
    }
  }
  if (depth !== 0) throw new Error('a brace is not closed');
  return parsed;
}
