/** Decide which program a name stands for, or how a shell reads what follows. */
const forShells =
  /^(?:PATH|IFS|ENV|HOME|SHELL|CDPATH|FPATH|ZDOTDIR|PS[0-4]|PROMPT.*|R?PROMPT\d?|BASH.*|SHELLOPTS|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|GLOBIGNORE|EXECIGNORE|NULLCMD|READNULLCMD|FUNCNEST|TEXTDOMAIN.*|HIST.*|INPUTRC|MAILPATH|MAIL|MAILCHECK)$/i;

/** Name a program that others start, or what one loads. */
const forPrograms =
  /PAGER|EDITOR|VISUAL|BROWSER|COMMAND|CMD|OPTIONS?$|OPTS?$|FLAGS$|PRELOAD|PATH$|PATHS$|HOME$|PROXY$|RUNNER$|LINKER$|RUSTC$|TOOLCHAIN|PLUGIN|GEMFILE$|HOOK|WRAPPER|ASKPASS|STARTUP|^GIT_(?!AUTHOR_|COMMITTER_)|^PYTHON(?!UNBUFFERED$|DONTWRITEBYTECODE$|IOENCODING$|HASHSEED$|UTF8$|WARNINGS$)|^PERL|^RUBY|^NODE_(?!ENV$)|^NPM_|^XDG_|^LESS|^MAN|^MAKE|^(?:CC|CXX|CPP|LD|AR|AS|RUSTC|LINKER|SSH_.*|RSYNC_RSH|CVS_RSH|SUDO_.*|TERMINFO.*|TERMCAP|TMPDIR|DOCKER_HOST|KUBECONFIG)$/i;

const harmlessValues = new Set(['', '0', '1', 'true', 'false', 'cat', 'never', 'auto', 'always']);

/** Whether a variable with this value lets something else run than is written; `value` is `undefined` where unknown. */
export function isRisky(name: string, value: string | undefined): boolean {
  if (!/^[A-Za-z_]\w*$/.test(name) || forShells.test(name)) return true;
  return forPrograms.test(name) && (value === undefined || !harmlessValues.has(value));
}

/**
 * What may run for a variable that is set, as texts of a shell: what the value holds of one, and a program that others
 * start by it.
 */
export function textsOfValue(name: string, value: string | undefined): readonly string[] {
  if (value === undefined || !(holdsCode(value) || isRisky(name, value))) return [];
  const text = value.replace(/^[!|]/, '');
  return name.startsWith('GIT_CONFIG_VALUE_') ? [text, `git ${text}`] : [text];
}

/** Whether a value is something that a shell would run if it read it again, as arithmetic and prompts do. */
export function holdsCode(value: string | undefined): boolean {
  return value !== undefined && /[`]|\$[({[]/.test(value);
}
