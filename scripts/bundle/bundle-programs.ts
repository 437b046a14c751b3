import { join } from 'node:path';
import { rolldown, type OutputChunk, type Plugin } from 'rolldown';
import { lazyPackages } from './lazy-packages.ts';
import { planChunks, type Start } from './plan-chunks.ts';
import { rawText } from './raw-text.ts';

export type Programs = {
  readonly root: string;
  /** The sources, by the names of the files that are made of them. */
  readonly sources: Readonly<Record<string, string>>;
  readonly extension: '.js' | '.mjs';
  readonly define: Readonly<Record<string, string>>;
};

/** What the bundler knows of a module. */
type Module = {
  readonly code: string | null;
  readonly importedIds: readonly string[];
  readonly dynamicImporters: readonly string[];
};
type GetModule = (id: string) => Module | null;

/** Ink's tools for developers need a package that nobody has. */
const noDevtools: Plugin = {
  name: 'no-devtools',
  load: (id) => (id.endsWith('/ink/build/devtools.js') ? 'export {};' : null),
};

/** A program is started more often than one of its parts is loaded. */
const PROGRAM_WEIGHT = 10;

/**
 * Bundles programs and their dependencies as ES modules for Node 22.12. What they share, and what is imported lazily, is
 * divided into chunks so that a start reads few files, and little that it has no use for.
 *
 * @returns the files, unwritten.
 */
export async function bundlePrograms({ root, sources, extension, define }: Programs): Promise<OutputChunk[]> {
  const ids = new Set<string>();
  let chunkOf: ReadonlyMap<string, number> | undefined;
  const bundle = await rolldown({
    cwd: root,
    input: { ...sources },
    platform: 'node',
    // It finds its native builds beside itself.
    external: ['fs-native-extensions'],
    transform: { target: 'node22.12', jsx: 'react-jsx', define: { ...define } },
    plugins: [
      lazyPackages,
      rawText,
      noDevtools,
      { name: 'note-modules', moduleParsed: ({ id }) => void ids.add(id) },
    ],
    preserveEntrySignatures: 'allow-extension',
    checks: {
      // What one command loads lazily, another needs at once.
      ineffectiveDynamicImport: false,
      // How long it took is nothing to act on.
      bundlerTimings: false,
    },
  });
  try {
    const programs = Object.values(sources).map((source) => join(root, source));
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: `[name]${extension}`,
      chunkFileNames: `chunks/[name]-[hash]${extension}`,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            debugName: 'by starts',
            name: (id, context) => {
              chunkOf ??= chunksFor(programs, [...ids].toSorted(), (each) => context.getModuleInfo(each));
              const chunk = chunkOf.get(id);
              return chunk === undefined ? null : `part-${chunk}`;
            },
          },
        ],
      },
    });
    return output.filter((file) => file.type === 'chunk');
  } finally {
    await bundle.close();
  }
}

function chunksFor(
  programs: readonly string[],
  ids: readonly string[],
  getModule: GetModule,
): Map<string, number> {
  const starts: Start[] = programs.map((program) => ({
    modules: loadedWith([program], getModule),
    weight: PROGRAM_WEIGHT,
  }));
  for (const id of ids) {
    const importers = getModule(id)?.dynamicImporters ?? [];
    // What the only one that imports it has loaded is there already.
    if (importers.length > 0)
      starts.push({
        modules: loadedWith(importers.length === 1 ? [id, ...importers] : [id], getModule),
        weight: 1,
      });
  }
  // A program does what it does when it is loaded: it is part of no chunk that another start may load.
  const parts = ids.filter((id) => !programs.includes(id));
  const react = ids.filter((id) => id.includes('/node_modules/react/'));
  const modules = parts.map((id) => {
    const { code, importedIds } = getModule(id) ?? { code: '', importedIds: [] };
    // Its functions that make elements import no other part of it: who draws needs all, and who does not needs none.
    const imports = react.includes(id) ? [...importedIds, ...react] : importedIds;
    return [id, { sizeKb: (code?.length ?? 0) / 1024, imports }] as const;
  });
  return planChunks(starts, new Map(modules));
}

/** All that is loaded with some modules, themselves included. */
function loadedWith(ids: readonly string[], getModule: GetModule): Set<string> {
  const loaded = new Set(ids);
  for (const id of loaded) for (const imported of getModule(id)?.importedIds ?? []) loaded.add(imported);
  return loaded;
}
