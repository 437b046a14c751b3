/** How a program reads its options until the command comes that it starts. */
export type WrapperOptions = {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options that take one, in the same word or the next. */
  readonly valued?: string;
  /** Letters that take one in the same word only, or none. */
  readonly attached?: string;
  readonly longFlags?: readonly string[];
  readonly longValued?: readonly string[];
  /** How many words come between the options and the command. */
  readonly operands?: number;
  /** Whether `NAME=value` may stand before the command. */
  readonly setsVariables?: boolean;
};

/** Programs that start the command in their arguments, by name. */
export const wrappers: ReadonlyMap<string, WrapperOptions> = new Map<string, WrapperOptions>([
  [
    'env',
    {
      flags: 'i0v',
      valued: 'uC',
      longFlags: ['ignore-environment', 'null', 'debug', 'list-signal-handling'],
      longValued: ['unset', 'chdir'],
      setsVariables: true,
    },
  ],
  [
    'sudo',
    {
      flags: 'AbEHknPSBN',
      valued: 'ughpCDrtTUR',
      longFlags: ['preserve-env', 'non-interactive', 'set-home', 'background', 'askpass', 'stdin', 'bell'],
      longValued: ['user', 'group', 'host', 'prompt', 'chdir', 'role', 'type', 'other-user', 'close-from'],
      setsVariables: true,
    },
  ],
  ['doas', { flags: 'n', valued: 'u' }],
  ['nice', { flags: '0123456789', valued: 'n', longValued: ['adjustment'] }],
  ['ionice', { flags: 't', valued: 'cn', longFlags: ['ignore'], longValued: ['class', 'classdata'] }],
  ['chrt', { flags: 'abdfiorRv', valued: 'TPD', operands: 1 }],
  ['taskset', { flags: 'a', operands: 1 }],
  ['nohup', {}],
  ['setsid', { flags: 'cfw', longFlags: ['ctty', 'fork', 'wait'] }],
  [
    'time',
    {
      flags: 'apqv',
      valued: 'fo',
      longFlags: ['append', 'portability', 'quiet', 'verbose'],
      longValued: ['format', 'output'],
    },
  ],
  [
    'timeout',
    {
      flags: 'fpv',
      valued: 'ks',
      longFlags: ['foreground', 'preserve-status', 'verbose'],
      longValued: ['kill-after', 'signal'],
      operands: 1,
    },
  ],
  ['gtimeout', { flags: 'fpv', valued: 'ks', operands: 1 }],
  ['stdbuf', { valued: 'ioe', longValued: ['input', 'output', 'error'] }],
  ['chroot', { longFlags: ['skip-chdir'], longValued: ['userspec', 'groups'], operands: 1 }],
  [
    'xargs',
    {
      flags: '0oprtx',
      valued: 'adEILnPs',
      attached: 'eil',
      longFlags: ['null', 'open-tty', 'interactive', 'no-run-if-empty', 'verbose', 'exit', 'show-limits'],
      longValued: [
        'arg-file',
        'delimiter',
        'max-lines',
        'max-args',
        'max-procs',
        'max-chars',
        'process-slot-var',
      ],
    },
  ],
  ['command', { flags: 'p' }],
  ['builtin', {}],
  ['exec', { flags: 'cl', valued: 'a' }],
  ['busybox', {}],
  ['toybox', {}],
  ['linux32', {}],
  ['linux64', {}],
  ['caffeinate', { flags: 'dimsu', valued: 'tw' }],
]);

/**
 * Programs that start another one too, or a shell: where in their arguments is not looked into. Some
 * are words of zsh and fish that bash takes for programs.
 */
export const looseWrappers: ReadonlySet<string> = new Set(
  `
    parallel strace ltrace unshare nsenter setarch setpriv capsh systemd-run pkexec run0 gosu
    su-exec runuser sg newgrp tini dumb-init unbuffer rlwrap fakeroot dbus-run-session xvfb-run
    torsocks proxychains proxychains4 chronic entr catchsegv valgrind gdb firejail bwrap
    prlimit numactl cgexec chpst softlimit setuidgid start-stop-daemon daemonize trickle expect
    ifne pee reptyr tmux screen at batch noglob nocorrect - repeat and or not begin foreach
    switch end autoload arch ssh-agent gpg-agent dbus-launch eatmydata faketime nocache choom
    uclampset coresched schedtool runcon i386 x86_64
  `
    .trim()
    .split(/\s+/),
);

/**
 * Programs that start another one on another machine, in a container, or among the tools of a project, and behind which
 * of their words; none: behind any. A rule that allows them allows what they start, as it does with `make`.
 */
export const carriers: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ssh: [],
    npx: [],
    bunx: [],
    uvx: [],
    pipx: ['run'],
    npm: ['exec', 'x'],
    pnpm: ['exec', 'dlx'],
    yarn: ['exec', 'dlx'],
    bun: ['x'],
    uv: ['run'],
    poetry: ['run'],
    pipenv: ['run'],
    pdm: ['run'],
    rye: ['run'],
    hatch: ['run'],
    bundle: ['exec'],
    conda: ['run'],
    docker: ['exec', 'run'],
    podman: ['exec', 'run'],
    kubectl: ['exec', 'run'],
    direnv: ['exec'],
    mise: ['exec', 'x'],
    asdf: ['exec'],
    rbenv: ['exec'],
    pyenv: ['exec'],
    'nix-shell': [],
    nix: [],
    wsl: [],
    vagrant: ['ssh'],
    op: ['run'],
    doppler: ['run'],
    'aws-vault': ['exec'],
    sops: ['exec-env', 'exec-file'],
    dotenv: [],
    'cross-env': [],
    'cross-env-shell': [],
    concurrently: [],
    nodemon: [],
    watchexec: [],
    hyperfine: [],
    sshpass: [],
    cpulimit: [],
    perf: [],
    proot: [],
  }),
);
