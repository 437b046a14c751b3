/** A module, as far as it matters to a start. */
export type PlannedModule = { readonly sizeKb: number; readonly imports: readonly string[] };

/** All that one start loads, and how much it counts beside the others. */
export type Start = { readonly modules: ReadonlySet<string>; readonly weight: number };

/** What a chunk costs a start that loads it, in ms of a processor (Node 24, compile cache warm): finding it, and running it. */
const MS_PER_CHUNK = 0.5;
const MS_PER_KB = 0.06;

/** A chunk in the making: its modules, the starts that load it, and the chunks it imports. */
type Draft = {
  readonly modules: string[];
  sizeKb: number;
  readonly starts: Set<number>;
  readonly imports: Set<Draft>;
};

/**
 * Divides modules into chunks so that the starts together cost least: what the same starts load becomes one chunk, and
 * two chunks become one where that saves more files than it loads in vain.
 *
 * @returns for each module that a start loads, the number of its chunk.
 */
export function planChunks(
  starts: readonly Start[],
  modules: ReadonlyMap<string, PlannedModule>,
): Map<string, number> {
  const drafts = new Set(draftsOf(starts, modules));
  const weights = starts.map(({ weight }) => weight);
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const draft of [...drafts].toSorted((one, other) => one.sizeKb - other.sizeKb)) {
      if (!drafts.has(draft)) continue;
      const best = bestPartner(draft, drafts, weights);
      if (!best) continue;
      join(draft, best, drafts);
      hasChanged = true;
    }
  }
  return new Map([...drafts].flatMap(({ modules: ids }, number) => ids.map((id) => [id, number] as const)));
}

/** What is loaded by exactly the same starts. */
function draftsOf(starts: readonly Start[], modules: ReadonlyMap<string, PlannedModule>): Draft[] {
  const drafts = new Map<string, Draft>();
  const draftOf = new Map<string, Draft>();
  for (const [id, { sizeKb }] of modules) {
    const loading = starts.flatMap((start, number) => (start.modules.has(id) ? [number] : []));
    if (loading.length === 0) continue;
    const key = loading.join();
    const draft: Draft = drafts.get(key) ?? {
      modules: [],
      sizeKb: 0,
      starts: new Set(loading),
      imports: new Set(),
    };
    drafts.set(key, draft);
    draftOf.set(id, draft);
    draft.modules.push(id);
    draft.sizeKb += sizeKb;
  }
  for (const [id, draft] of draftOf)
    for (const imported of modules.get(id)?.imports ?? []) {
      const other = draftOf.get(imported);
      if (other && other !== draft) draft.imports.add(other);
    }
  return [...drafts.values()];
}

function bestPartner(
  draft: Draft,
  drafts: ReadonlySet<Draft>,
  weights: readonly number[],
): Draft | undefined {
  let best: Draft | undefined;
  let least = 0;
  const behind = reachable(draft);
  for (const other of drafts) {
    if (other === draft) continue;
    const cost = costOfJoining(draft, behind, other, weights, least);
    if (cost >= least) continue;
    best = other;
    least = cost;
  }
  return best;
}

/** In ms over all starts; less than 0 where it saves. Stops counting where it is clear that it is not below `least`. */
function costOfJoining(
  draft: Draft,
  behind: ReadonlySet<Draft>,
  other: Draft,
  weights: readonly number[],
  least: number,
): number {
  let cost = 0;
  for (const start of draft.starts) if (other.starts.has(start)) cost -= MS_PER_CHUNK * (weights[start] ?? 1);
  if (cost >= least) return 0;
  for (const start of other.starts) {
    if (draft.starts.has(start)) continue;
    cost += costInVain(draft, behind, start) * (weights[start] ?? 1);
    if (cost >= least) return cost;
  }
  const behindOther = reachable(other);
  for (const start of draft.starts) {
    if (other.starts.has(start)) continue;
    cost += costInVain(other, behindOther, start) * (weights[start] ?? 1);
    if (cost >= least) return cost;
  }
  return cost;
}

/** What a start pays that had no need of a chunk: its code, as a part of another one, and the chunks that it imports. */
function costInVain({ sizeKb }: Draft, behind: ReadonlySet<Draft>, start: number): number {
  let cost = MS_PER_KB * sizeKb;
  for (const each of behind) if (!each.starts.has(start)) cost += MS_PER_CHUNK + MS_PER_KB * each.sizeKb;
  return cost;
}

function join(into: Draft, from: Draft, drafts: Set<Draft>): void {
  drafts.delete(from);
  into.modules.push(...from.modules);
  into.sizeKb += from.sizeKb;
  for (const start of from.starts) into.starts.add(start);
  for (const imported of from.imports) into.imports.add(imported);
  for (const each of drafts) if (each.imports.delete(from)) each.imports.add(into);
  into.imports.delete(from);
  into.imports.delete(into);
  // Whoever loads it loads what it imports.
  for (const imported of reachable(into)) for (const start of into.starts) imported.starts.add(start);
}

/** The chunks that a chunk imports, and those that they import, without itself. */
function reachable(draft: Draft): Set<Draft> {
  const seen = new Set<Draft>([draft]);
  for (const each of seen) for (const imported of each.imports) seen.add(imported);
  seen.delete(draft);
  return seen;
}
