import { evaluate, type MemberNode, type Node, type ObjectNode, type ValueNode } from '@humanwhocodes/momoa';
import type { z } from 'zod';
import type { ConfigDocument, ConfigLeaf, UnknownKey } from './config-document.ts';
import { entryOf, keyText, kindOf } from './config-keys.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { placeText, type ConfigProblem } from './config-problem.ts';
import { usesVariables } from './expand-variables.ts';
import { nameOf, placeOf } from './json-places.ts';
import { mustBe, ruleText, valueText } from './rule-text.ts';
import { hasLateVariables } from './unshown-keys.ts';

/** A key as a path; numbers are places in a list. */
type Path = readonly (string | number)[];

/** Walks a parsed file along the schema and sorts what it finds: usable values, problems, unknown keys. */
export function collectLeaves(file: string, body: ValueNode, schema: z.ZodType): ConfigDocument {
  const collector = new Collector(file);
  collector.walk(body, schema, []);
  return collector;
}

class Collector implements ConfigDocument {
  readonly file: string;
  readonly leaves: ConfigLeaf[] = [];
  readonly problems: ConfigProblem[] = [];
  readonly unknownKeys: UnknownKey[] = [];

  constructor(file: string) {
    this.file = file;
  }

  walk(node: ValueNode, schema: z.ZodType, path: readonly string[]): void {
    const kind = kindOf(schema);
    if (kind.is === 'value') this.#take(node, schema, path);
    else if (node.type !== 'Object') this.#refuse(node, path, mustBe(schema, evaluate(node)));
    else if (kind.is === 'names') this.#walkNames(node, kind, path);
    else this.#walkSection(node, kind.keys, path);
  }

  #walkSection(node: ObjectNode, keys: ReadonlyMap<string, z.ZodType>, path: readonly string[]): void {
    for (const member of node.members) {
      const name = nameOf(member);
      const schema = keys.get(name);
      if (schema) this.walk(member.value, schema, [...path, name]);
      else this.#name(member, [...path, name], [...keys.keys()]);
    }
  }

  #walkNames(
    node: ObjectNode,
    { name: nameSchema, each }: { name: z.ZodType; each: z.ZodType },
    path: readonly string[],
  ): void {
    for (const member of node.members) {
      const name = nameOf(member);
      if (nameSchema.safeParse(name).success) this.walk(member.value, each, [...path, name]);
      else
        this.#refuse(member, path, `has the name ${valueText(name)}, which must be ${ruleText(nameSchema)}`);
    }
  }

  #take(node: ValueNode, schema: z.ZodType, path: readonly string[]): void {
    const value: unknown = evaluate(node);
    // What variables bring in is checked when they are replaced.
    const isLater = usesVariables(value) && !hasLateVariables(path);
    const issue = isLater ? undefined : schema.safeParse(value).error?.issues[0];
    if (!issue) {
      this.leaves.push({ path, value, schema, place: placeOf(node) });
      return;
    }
    const [index] = issue.path;
    const entry = entryOf(schema);
    const wrong =
      node.type === 'Array' && typeof index === 'number' ? node.elements[index]?.value : undefined;
    if (wrong && entry && typeof index === 'number')
      this.#refuse(wrong, [...path, index], mustBe(entry, evaluate(wrong)));
    else this.#refuse(node, path, mustBe(schema, value));
  }

  #refuse(node: Node, path: Path, rule: string): void {
    const what = path.length === 0 ? 'the file' : keyText(path);
    this.problems.push({ file: this.file, place: placeOf(node), path, rule: `${what} ${rule}` });
  }

  #name(member: MemberNode, path: readonly string[], known: readonly string[]): void {
    const where = placeText(this.file, placeOf(member));
    const hint = didYouMean(path.at(-1) ?? '', known);
    this.unknownKeys.push({ path, text: `Unknown key ${JSON.stringify(keyText(path))} in ${where}${hint}` });
  }
}
