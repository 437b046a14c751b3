import { commandRisks, highRisks, type CommandRisk, type HighRisk } from '../../../events/command-risk.ts';
import type { ShellCommand, ShellWord } from './command-reading.ts';
import { lineReading } from './line-reading.ts';
import { programName } from './program-name.ts';
import { MAX_WRAPPERS } from './shell-limits.ts';

type Args = readonly ShellWord[];
type Test = (args: Args) => boolean;

/**
 * What one command does beside its work that a person should not overlook, the worst first: by its name and its words, as they
 * stand there. For people to look at: what becomes of a call is decided by rules.
 */
export function risksOfCommand(command: Pick<ShellCommand, 'words'>): readonly CommandRisk[] {
  const risks = new Set(commandsIn(command).flatMap(risksOf));
  // What sends something reaches outside.
  if (risks.has('sends')) risks.delete('outside');
  return commandRisks.filter((risk) => risks.has(risk));
}

/** What is worst about the commands of these lines, as far as they can be taken apart: each is named that one of them has. */
export function highRisksIn(lines: readonly string[]): Partial<Record<HighRisk, true>> {
  const found = new Set(lineReading(lines)?.commands.flatMap(risksOfCommand));
  return Object.fromEntries(highRisks.filter((risk) => found.has(risk)).map((risk) => [risk, true]));
}

/** Whether commands in it are given to more programs, one in the other, than {@link risksOfCommand} looks into. */
export function isTooDeep(command: Pick<ShellCommand, 'words'>): boolean {
  return commandsIn(command).length > MAX_WRAPPERS;
}

/** A command, the one that its program is given to run elsewhere, the one which that is given, and so on. */
function commandsIn({ words }: Pick<ShellCommand, 'words'>): Args[] {
  const all: Args[] = [];
  for (let left: Args = words; left.length > 0 && all.length <= MAX_WRAPPERS; left = givenTo(left))
    all.push(left);
  return all;
}

function risksOf([name, ...args]: Args): CommandRisk[] {
  const program = programOf(name);
  return rules
    .filter(([, programs, test]) => programs.test(program) && (test === undefined || test(args)))
    .map(([risk]) => risk);
}

function programOf(name: ShellWord): string {
  return name === undefined ? '' : programName(name);
}

/** The command that a program is given to run in a container, or on another machine; `[]`: none. */
function givenTo([name, ...args]: Args): Args {
  const program = programOf(name);
  if (/^(?:docker|podman|nerdctl|docker-compose)$/.test(program)) {
    const at = args.slice(0, TELLING).findIndex((word) => word === 'exec');
    return at < 0
      ? []
      : behindOptions(args.slice(at + 1), /^(?:-[euw]|--(?:env|env-file|user|workdir|index))$/).slice(1);
  }
  if (/^(?:kubectl|oc)$/.test(program)) {
    const at = args.includes('exec') ? args.indexOf('--') : -1;
    return at < 0 ? [] : args.slice(at + 1);
  }
  if (program !== 'ssh') return [];
  // A shell there reads its words as one text.
  const words = behindOptions(args, /^-[BbcDEeFIiJLlmOopQRSWw]$/).slice(1);
  return words.flatMap((word) => word?.trim().split(/\s+/) ?? [undefined]);
}

/** What stands behind the options, of which these have their value in the next word. */
function behindOptions(args: Args, withValue: RegExp): Args {
  let at = 0;
  for (let word = args[at]; word?.startsWith('-') === true; word = args[at])
    at += withValue.test(word) ? 2 : 1;
  return args.slice(at);
}

/** One of the words, whole, says it. */
const has =
  (pattern: RegExp): Test =>
  (args) =>
    args.some((word) => word !== undefined && pattern.test(word));

/** One of the words is short options, with one of these letters among them. */
const flag =
  (letters: RegExp): Test =>
  (args) =>
    args.some((word) => word !== undefined && /^-[a-zA-Z]+$/.test(word) && letters.test(word));

/**
 * The first words that are no options say it, with a blank between two: `stash drop`. Which options have their value in the
 * next word is not known of every program: both is tried.
 */
const says =
  (pattern: RegExp): Test =>
  (args) =>
    [true, false].some((isValue) => pattern.test(wordsOnly(args, isValue).join(' ')));

const both =
  (one: Test, other: Test): Test =>
  (args) =>
    one(args) && other(args);

const either =
  (one: Test, other: Test): Test =>
  (args) =>
    one(args) || other(args);

/** One of the options in front of all other words says it. */
const opens =
  (pattern: RegExp): Test =>
  (args) =>
    has(pattern)(
      args.slice(0, args.length - behindOptions(args, /^(?:-[WXr]|--(?:require|import|loader))$/).length),
    );

const not =
  (one: Test): Test =>
  (args) =>
    !one(args);

const remote = /^[^-/.][^/]*:/;

type Rule = readonly [risk: CommandRisk, programs: RegExp, test?: Test];

const rules: readonly Rule[] = [
  ['rights', /^(?:sudo|doas|su|pkexec|run0|runas|runuser)$/],

  [
    'destroys',
    /^(?:rm|rmdir|unlink|shred|srm|dd|truncate|wipefs|fdisk|parted|mkswap|cryptsetup|(?:lv|vg|pv)remove|mkfs(?:\..*)?|dropdb|dropuser)$/,
  ],
  ['destroys', /^(?:shutdown|reboot|halt|poweroff)$/],
  ['destroys', /^find$/, has(/^-delete$/)],
  ['destroys', /^rsync$/, has(/^--(?:delete|remove-source-files)/)],
  ['destroys', /^crontab$/, has(/^-r$/)],
  ['destroys', /^(?:chmod|chown|chgrp|setfacl)$/, either(flag(/R/), has(/^--recursive$/))],
  [
    'overwrites',
    /^(?:mv|cp|install)$/,
    not(either(flag(/n/), has(/^--(?:no-clobber|backup(?:=.*)?|update=none.*)$/))),
  ],
  ['destroys', /^(?:zfs|zpool)$/, says(/^destroy\b/)],
  ['destroys', /^btrfs$/, says(/^subvolume delete\b/)],
  ['destroys', /^rclone$/, says(/^(?:delete|purge|sync|move|rmdirs?)\b/)],
  [
    'destroys',
    /^(?:apt|apt-get|dnf|yum|zypper|brew|snap)$/,
    says(/^(?:remove|purge|autoremove|erase|uninstall)\b/),
  ],
  ['destroys', /^dpkg$/, has(/^(?:-[rP]|--remove|--purge)$/)],
  ['destroys', /^git$/, both(says(/^reset\b/), has(/^--(?:hard|merge)$/))],
  ['destroys', /^git$/, both(says(/^clean\b/), either(flag(/f/), has(/^--force$/)))],
  [
    'destroys',
    /^git$/,
    says(
      /^(?:rm|restore|filter-branch|filter-repo|stash (?:drop|clear)|reflog (?:expire|delete)|worktree remove)\b/,
    ),
  ],
  [
    'destroys',
    /^git$/,
    both(says(/^(?:checkout|switch)\b/), has(/^(?:--|\.|-f|--force|--discard-changes)$/)),
  ],
  ['destroys', /^git$/, both(says(/^(?:branch|tag|update-ref)\b/), has(/^(?:-[dD]|--delete)$/))],
  [
    'destroys',
    /^git$/,
    both(says(/^push\b/), either(flag(/[fd]/), has(/^(?:--(?:force|delete|mirror|prune)|[:+].)/))),
  ],
  ['destroys', /^(?:docker|podman)$/, says(/^(?:rm|rmi|kill|(?:\w+ )?(?:prune|rm|remove))\b/)],
  [
    'destroys',
    /^(?:docker|podman|docker-compose)$/,
    both(says(/^(?:compose )?down\b/), has(/^(?:-v|--volumes)$/)),
  ],
  ['destroys', /^(?:kubectl|oc)$/, says(/^(?:delete|drain|replace)\b/)],
  ['destroys', /^(?:terraform|tofu|pulumi)$/, says(/^(?:destroy|apply|up)\b/)],
  ['destroys', /^helm$/, says(/^(?:uninstall|delete|rollback)\b/)],
  [
    'destroys',
    /^(?:aws|gcloud|az|gh|heroku|doctl|flyctl|fly)$/,
    has(/^(?:rm|rb|delete.*|terminate.*|destroy)$/),
  ],
  ['destroys', /^(?:npm|pnpm|yarn)$/, says(/^(?:unpublish|deprecate)\b/)],
  [
    'destroys',
    /^(?:psql|mysql|mariadb|sqlite3|clickhouse-client|mongosh?)$/,
    has(/\b(?:drop|truncate|delete|deleteMany|dropDatabase)\b/i),
  ],
  ['destroys', /^redis-cli$/, has(/^(?:flushall|flushdb|del)$/i)],

  ['sends', /^git$/, says(/^(?:push|send-email|request-pull)\b/)],
  [
    'sends',
    /^curl$/,
    has(
      /^(?:-[a-zA-Z]*[dFT]|--(?:data|form|json|upload-file|url-query)|(?:-X|--request=?)?(?:POST|PUT|PATCH|DELETE)$)/,
    ),
  ],
  ['sends', /^wget$/, has(/^--(?:post|body)-|^--method=/)],
  ['sends', /^(?:scp|sftp)$/],
  ['sends', /^rsync$/, has(remote)],
  ['sends', /^(?:nc|ncat|netcat|socat|telnet|mail|mailx|sendmail|mutt|msmtp)$/],
  [
    'sends',
    /^(?:npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|gem|lerna|changeset)$/,
    says(/^(?:npm |workspace \S+ )?(?:publish|push)\b/),
  ],
  ['sends', /^twine$/, says(/^upload\b/)],
  ['sends', /^hg$/, says(/^push\b/)],
  ['sends', /^svn$/, says(/^(?:commit|ci|import)\b/)],
  ['sends', /^jj$/, says(/^git push\b/)],
  ['sends', /^(?:docker|podman|helm)$/, says(/^(?:push|image push|compose push|login)\b/)],
  ['sends', /^gh$/, has(/^(?:create|comment|edit|merge|close|reopen|review|upload|set|sync)$/)],
  ['sends', /^(?:aws|gsutil|gcloud|rclone)$/, has(/^(?:cp|mv|sync|rsync|copy|copyto|put-.*)$/)],

  ['overwrites', /^ln$/, either(flag(/f/), has(/^--force$/))],
  ['overwrites', /^tee$/, both(has(/^[^-]/), not(either(flag(/a/), has(/^--append$/))))],

  ['code', /^(?:python|pypy)[\d.]*$/, opens(/^-[a-zA-Z]*c$/)],
  ['code', /^(?:node|nodejs|bun|tsx|ts-node)$/, opens(/^(?:-(?:e|p|pe)|--(?:eval|print)(?:=.*)?)$/s)],
  ['code', /^deno$/, says(/^eval\b/)],
  ['code', /^(?:perl|ruby)[\d.]*$/, opens(/^-(?![MI])[a-zA-Z\d]*[eE]$/)],
  [
    'code',
    /^(?:php|r|rscript|lua|luajit|osascript|groovy|elixir|julia)[\d.]*$/,
    opens(/^(?:-[er]|--(?:run|eval))$/),
  ],
  ['code', /^(?:pwsh|powershell)$/, opens(/^-(?:c|command|e|ec|encodedcommand)$/i)],

  [
    'outside',
    /^(?:curl|wget|ssh|mosh|ftp|lftp|aria2c|dig|nslookup|host|ping|traceroute|nmap|http|https|xh)$/,
  ],
  ['outside', /^git$/, says(/^(?:clone|fetch|pull|ls-remote|remote update|submodule update)\b/)],
  [
    'outside',
    /^(?:gh|glab|aws|gcloud|az|heroku|doctl|flyctl|fly|kubectl|oc|helm|terraform|tofu|pulumi|vercel|netlify)$/,
  ],
  [
    'outside',
    /^(?:npm|pnpm|yarn|bun)$/,
    says(/^(?:i|ci|install|add|update|upgrade|login|audit|outdated|view)\b/),
  ],
  [
    'outside',
    /^(?:pip\d?|pipx|uv|poetry|gem|bundle|composer|brew|apt|apt-get|dnf|yum|apk|pacman|snap)$/,
    has(/^(?:install|add|update|upgrade|sync|lock|require|download|-S.*)$/),
  ],
  ['outside', /^cargo$/, says(/^(?:install|fetch|update|add|login)\b/)],
  ['outside', /^go$/, says(/^(?:get|install|mod download)\b/)],
  ['outside', /^(?:docker|podman)$/, says(/^(?:pull|run|compose pull|compose up|build)\b/)],
];

/** So many words tell what a program is to do. */
const TELLING = 3;

/** @param isValue - A word behind an option is its value. */
function wordsOnly(args: Args, isValue: boolean): string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length && words.length < TELLING; at++) {
    const word = args[at];
    // What it is to do is known only when it runs.
    if (word === undefined) break;
    if (!word.startsWith('-')) words.push(word);
    else if (isValue && !word.includes('=') && args[at + 1]?.startsWith('-') === false) at++;
  }
  return words;
}
