/**
 * Asks Clifford at each Tab what may follow: the script is the same whatever commands there are. The words come from
 * files of the project, so a shell may take them for nothing but text: bash neither expands them, as `compgen -W` does,
 * nor inserts them but quoted, and within quotes that somebody has begun it offers none. The others quote by themselves.
 */
export const shellScripts = {
  bash: `_clifford() {
  local typed=\${COMP_WORDS[COMP_CWORD]} word
  COMPREPLY=()
  while IFS= read -r word; do
    printf -v word %q "$word"
    [[ $word == "$typed"* ]] && COMPREPLY+=("$word")
  done < <(clifford completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _clifford clifford
`,
  zsh: `#compdef clifford
_clifford() {
  local -a found
  found=(\${(f)"$(clifford completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _clifford clifford
`,
  fish: `function __clifford_words
  set -l typed (commandline -opc)
  set -l current (commandline -ct)
  clifford completion words -- $typed[2..] "$current" 2>/dev/null
end
complete -c clifford -a '(__clifford_words)'
`,
} as const;

/** A shell that there is a script for. */
export type Shell = keyof typeof shellScripts;
