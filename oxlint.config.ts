import { defineConfig } from 'oxlint';

/** One pattern of `no-restricted-imports`. */
type Ban = { regex: string; message: string; importNames?: string[]; allowTypeImports?: boolean };

/** Those that do not know each other, but for mcp, which serves question files too: it imports signals. */
const middle = ['mcp', 'signals', 'runner', 'tui', 'web', 'notify', 'metrics'] as const;
/** The rooms between the workflow and these: each stands alone. */
const shared = ['views', 'gateway'] as const;
const mcpSdk: Ban = {
  regex: '^@modelcontextprotocol(/|$)',
  message: 'only src/mcp and src/gateway speak MCP: use what they export',
};
const nodeModules: Ban = {
  regex: '^node:',
  message: 'this room is pure: take it as input, or ask for it with an action',
};
const thisPackage: Ban = {
  regex: '\\.\\./(package-file|version|require-node)\\.ts$',
  message: 'this room is pure: it reads no file of the package',
};
const terminalUi: Ban = {
  regex: '^(ink|react|@xstate/react)(/|$)',
  message: 'only src/tui draws on a terminal',
};

/** A named pipe is waited for without end, a device never ends, a link leads anywhere. */
const bareFiles: Ban = {
  regex: '^node:fs(/promises)?$',
  importNames: [
    'readFile',
    'readFileSync',
    'createReadStream',
    'open',
    'openSync',
    'writeFile',
    'writeFileSync',
    'appendFile',
    'appendFileSync',
    'createWriteStream',
  ],
  message: 'what is opened may be anything: use src/lib/files',
};

/** Forbids folders of src, however many `../` lead there, and the library and its entry, which are for others. */
const folders = (names: readonly string[], message: string): Ban => ({
  regex: `\\.\\./(src/)?(${[...names, 'library', 'index'].join('|')})(/|\\.)`,
  message,
});

/** What the API and the page may not import: a browser has no files and no processes, and no part of the server. */
const webPure: Ban[] = [
  folders(
    ['gateway', ...middle.filter((room) => room !== 'web'), 'cli'],
    'the page meets the others in the API',
  ),
  {
    regex: '\\.\\./(workflow|lib/(files|processes)|server)/',
    message: 'this runs in a browser: what a disk or a process says comes through the API',
    allowTypeImports: true,
  },
  thisPackage,
  nodeModules,
  mcpSdk,
];

/** Of the workflow, those that say how what a task has changed gets into the branch: each imports those before it. */
const waysIntoTheBranch = ['git', 'landing', 'commit', 'worktree'] as const;

type Imports = { 'no-restricted-imports': ['error', { patterns: Ban[] }] };

const importsAndFiles = (...patterns: Ban[]): Imports => ({
  'no-restricted-imports': ['error', { patterns }],
});

const imports = (...patterns: Ban[]): Imports => importsAndFiles(...patterns, bareFiles);

const middleRoom = (room: (typeof middle)[number]) => ({
  files: [`src/${room}/**`],
  rules: imports(
    folders(
      [...middle.filter((other) => other !== room && !(room === 'mcp' && other === 'signals')), 'cli'],
      'they meet in the log: src/cli hands each what it needs',
    ),
    ...(room === 'mcp' ? [] : [mcpSdk]),
    ...(room === 'tui' ? [] : [terminalUi]),
  ),
});

const ends = {
  object: 'process',
  property: 'exit',
  message: 'only src/cli ends the process: throw, or return',
};
const prints = ['stdout', 'stderr'].map((property) => ({
  object: 'process',
  property,
  message: 'only src/cli prints: return it, or record an event',
}));

const impure = [
  'globalThis',
  'process',
  'performance',
  'crypto',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
];

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'react', 'vitest'],
  categories: { correctness: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist', 'node_modules'],
  rules: {
    ...imports(mcpSdk, terminalUi),
    'no-restricted-properties': ['error', ends, ...prints],
    'no-console': 'error',
    'unicorn/no-process-exit': 'error',

    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'unicorn/prefer-node-protocol': 'error',

    eqeqeq: 'error',
    'no-empty': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'react/exhaustive-deps': 'error',
    'react/rules-of-hooks': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/use-unknown-in-catch-callback-variable': 'error',
  },
  // A later override replaces the same rule of an earlier one: each folder lists all that it may not import.
  overrides: [
    {
      files: ['{src,bench,demo,scripts}/**'],
      // One statement for each module, types among the values.
      rules: { 'import/no-duplicates': ['error', { preferInline: true }] },
    },
    {
      files: ['src/lib/**'],
      rules: imports(
        folders(
          ['events', 'machines', 'workflow', ...shared, ...middle, 'cli'],
          'lib knows no word of sprints: it imports errors only',
        ),
        mcpSdk,
        terminalUi,
      ),
    },
    {
      // The files of lib/files are what the others use; those of /proc are plain, and said to be empty.
      files: ['src/lib/files/**', 'src/lib/processes/{proc-file,process-identity,socket-owners}.ts'],
      rules: importsAndFiles(
        folders(
          ['events', 'machines', 'workflow', ...shared, ...middle, 'cli'],
          'lib knows no word of sprints: it imports errors only',
        ),
        mcpSdk,
        terminalUi,
      ),
    },
    {
      files: ['src/lib/{text,time,json}/**'],
      rules: imports(
        folders(
          ['events', 'machines', 'workflow', ...shared, ...middle, 'cli'],
          'lib knows no word of sprints: it imports errors only',
        ),
        nodeModules,
        mcpSdk,
        terminalUi,
      ),
    },
    {
      files: ['src/events/**'],
      rules: imports(
        folders(
          ['machines', 'workflow', ...shared, ...middle, 'cli'],
          'events is the lowest layer: it imports errors and lib only',
        ),
        mcpSdk,
        terminalUi,
      ),
    },
    {
      files: ['src/machines/**'],
      rules: {
        ...imports(
          folders(['workflow', ...shared, ...middle, 'cli'], 'machines import events, lib and errors only'),
          {
            regex: '/lib/(files|processes)/',
            message: 'machines are pure: of lib they import text, time and json only',
          },
          thisPackage,
          nodeModules,
          mcpSdk,
          terminalUi,
        ),
        'no-restricted-globals': [
          'error',
          ...impure.map((name) => ({ name, message: 'machines are pure: take it as input' })),
        ],
        'no-restricted-properties': [
          'error',
          {
            object: 'Date',
            property: 'now',
            message: 'machines have no clock: take the time from the event',
          },
          { object: 'Math', property: 'random', message: 'machines have no chance: take it as input' },
        ],
      },
    },
    {
      files: ['src/workflow/**'],
      rules: imports(
        folders([...shared, ...middle, 'cli'], 'workflow imports machines, events, lib and errors only'),
        mcpSdk,
        terminalUi,
      ),
    },
    ...waysIntoTheBranch.slice(0, -1).map((room, at) => ({
      files: [`src/workflow/${room}/**`],
      rules: imports(
        folders([...shared, ...middle, 'cli'], 'workflow imports machines, events, lib and errors only'),
        folders(
          waysIntoTheBranch.slice(at + 1),
          'worktree imports commit, commit imports landing, landing imports git: never the other way',
        ),
        mcpSdk,
        terminalUi,
      ),
    })),
    {
      files: ['src/views/**'],
      rules: imports(
        folders(['gateway', ...middle, 'cli'], 'views are data for every face: they import no face'),
        {
          regex: '\\.\\./(workflow|lib/(files|processes))/',
          message: 'views are pure: what a disk or a process says is handed in',
          allowTypeImports: true,
        },
        thisPackage,
        nodeModules,
        mcpSdk,
        terminalUi,
      ),
    },
    {
      files: ['src/gateway/**'],
      rules: imports(
        folders(['views', ...middle, 'cli'], 'the gateway knows no face: it imports workflow and below'),
        terminalUi,
      ),
    },
    ...middle.map(middleRoom),
    {
      // Both run in a browser: what the server says, and the page that shows it.
      files: ['src/web/api/**'],
      rules: imports(...webPure, terminalUi),
    },
    { files: ['src/web/page/**'], rules: imports(...webPure) },
    {
      files: ['src/library/**'],
      rules: imports(
        {
          regex: '\\.\\./(src/)?(cli|index)(/|\\.)',
          message: 'the library is for other programs: it neither prints nor exits',
        },
        mcpSdk,
        terminalUi,
      ),
    },
    {
      // The server speaks JSON-RPC over stdout, the screen draws on it.
      files: ['src/mcp/**', 'src/tui/**'],
      rules: { 'no-restricted-properties': ['error', ends] },
    },
    {
      files: ['src/cli/**'],
      rules: {
        ...imports(folders([], 'import the file that has it'), mcpSdk, terminalUi),
        'no-console': 'off',
        'no-restricted-properties': 'off',
        'unicorn/no-process-exit': 'off',
      },
    },
    {
      // They read the package itself, before there is a project: its version, its schema, the code that folds.
      files: ['src/version.ts', 'src/cli/init/own-files.ts'],
      rules: importsAndFiles(folders([], 'import the file that has it'), mcpSdk, terminalUi),
    },
    {
      // So does this one.
      files: ['src/workflow/project/fold-digest.ts'],
      rules: importsAndFiles(
        folders([...shared, ...middle, 'cli'], 'workflow imports machines, events, lib and errors only'),
        mcpSdk,
        terminalUi,
      ),
    },
    {
      // A person names where an export goes: a named pipe and a device are fine.
      files: ['src/cli/history/write-output.ts'],
      rules: importsAndFiles(folders([], 'import the file that has it'), mcpSdk, terminalUi),
    },
    {
      files: ['src/errors.ts', 'src/lib/system-error.ts', 'src/require-node.ts'],
      rules: imports({ regex: '.', message: 'this file imports nothing' }),
    },
    { files: ['src/index.ts'], rules: { 'oxc/no-barrel-file': 'off' } },
    {
      files: ['test/**', 'bench/**', 'demo/**', 'scripts/**'],
      rules: {
        'no-console': 'off',
        'no-restricted-imports': 'off',
        'no-restricted-properties': 'off',
        'unicorn/no-process-exit': 'off',
      },
    },
    {
      files: ['test/**'],
      rules: {
        'vitest/expect-expect': [
          'error',
          { assertFunctionNames: ['expect', 'expect*', 'given', 'given.**', 'fc.assert'] },
        ],
        'vitest/no-conditional-tests': 'error',
        'vitest/no-disabled-tests': 'error',
        'vitest/no-focused-tests': 'error',
        'vitest/valid-expect': ['error', { maxArgs: 2 }],
      },
    },
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
  ],
});
