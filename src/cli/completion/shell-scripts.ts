/** Asks Clifford at each Tab what may follow: the script is the same whatever commands there are. */
export const shellScripts = {
  bash: `_clifford() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(clifford completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
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
  clifford completion words -- $typed[2..] (commandline -ct | string collect --allow-empty) 2>/dev/null
end
complete -c clifford -a '(__clifford_words)'
`,
} as const;

/** A shell that there is a script for. */
export type Shell = keyof typeof shellScripts;
