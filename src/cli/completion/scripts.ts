/**
 * The completion scripts of the shells. Candidates contain names given by people and plugins, so they never pass
 * through anything that expands: no eval, no "compgen -W". Candidates for bash are quoted already; zsh quotes them
 * itself.
 */

/** A line with a tab is a candidate and what it is; the line ":0" asks for file names; others mean nothing here. */
const BASH = `# bash completion for domovoi
_domovoi() {
  local line word="\${COMP_WORDS[COMP_CWORD]}"
  # In a quoted word the shell completes what follows the quote.
  word="\${word#[\\"\\']}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      *$'\\t'*)
        line="\${line%%$'\\t'*}"
        if [[ "\${line:0:\${#word}}" == "$word" ]]; then COMPREPLY+=("$line"); fi
        ;;
      :0) compopt -o default ;;
    esac
  done < <(domovoi __complete --line "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _domovoi domovoi
`;

const ZSH = `#compdef domovoi
_domovoi() {
  local line files=0
  local -a written values about
  written=("\${(@Q)words[2,CURRENT]}")
  # A quote that is still open stays; the shell completes what follows it.
  written[-1]=\${written[-1]#[\\"\\']}
  while IFS= read -r line; do
    case "$line" in
      *$'\\t'*) values+=("\${line%%$'\\t'*}"); about+=("\${line%%$'\\t'*}  \${line#*$'\\t'}") ;;
      :0) files=1 ;;
    esac
  done < <(domovoi __complete -- "\${(@)written}" 2>/dev/null)
  if (( files )); then _files; return; fi
  # The value of an option that is written with "=".
  if [[ "$PREFIX" == -*=* ]]; then compset -P '*='; fi
  compadd -l -d about -a values
}
compdef _domovoi domovoi
`;

export const SCRIPTS: Readonly<Record<"bash" | "zsh", string>> = { bash: BASH, zsh: ZSH };
