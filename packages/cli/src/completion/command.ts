import { type Command, command } from '../terminal/command.ts'
import { UsageFault } from '../terminal/usage-fault.ts'

const NAME = 'completion'

/** The list contains this command too, so it is read when the command runs. */
export const completionCommand = (commands: () => readonly Command[]): Command =>
  command({
    name: NAME,
    about: 'Print the completion script of a shell, bash or zsh: source <(continuity completion bash)',
    operand: 'SHELL',
    options: {},
    run: ({ operand: shell }) => {
      const script = shell === 'bash' || shell === 'zsh' ? scripts[shell](commands()) : undefined
      if (script === undefined) throw new UsageFault(`SHELL must be bash or zsh, not "${shell}".`, NAME)
      return { text: script.trimEnd(), json: { shell, script } }
    },
  })

/** A line for each command: its name, `|`, and its options. */
function printTable(commands: readonly Command[]): string {
  const lines = commands.map(({ name, options }) => {
    const flags = [...Object.keys(options), 'json', 'help'].map((option) => `--${option}`)
    return `${name}|${flags.join(' ')}`
  })
  return [...lines, 'help|'].join('\n')
}

/**
 * Both scripts look through the table: where what is typed is the beginning of a command, its next part is offered, and
 * after a whole command its options. Everything else, such as operands, is completed as files.
 */
export const scripts = {
  bash: (
    commands: readonly Command[],
  ) => `# bash completion of continuity: source <(continuity completion bash)
_continuity_commands='${printTable(commands)}'

_continuity() {
  local current=\${COMP_WORDS[COMP_CWORD]} typed='' part name options
  local -a found=()
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $part == -* ]] && break
    [[ $part == help && -z $typed ]] || typed+="$part "
  done
  while IFS='|' read -r name options; do
    if [[ "$name " == "$typed"?* && $current != -* ]]; then
      part=\${name:\${#typed}}
      found+=("\${part%% *}")
    elif [[ "$typed" == "$name "* && $current == -* ]]; then
      read -ra found <<< "$options"
    fi
  done <<< "$_continuity_commands"
  mapfile -t COMPREPLY < <(compgen -W "\${found[*]}" -- "$current" | sort -u)
}
complete -o bashdefault -o default -F _continuity continuity
`,
  zsh: (commands: readonly Command[]) => `#compdef continuity
# zsh completion of continuity: a file named _continuity in a folder of $fpath, or source <(continuity completion zsh)
_continuity_commands='${printTable(commands)}'

_continuity() {
  local current=$words[CURRENT] typed='' part line name options
  local -aU found
  for part in \${words[2,CURRENT-1]}; do
    [[ $part == -* ]] && break
    [[ $part == help && -z $typed ]] || typed+="$part "
  done
  for line in \${(f)_continuity_commands}; do
    name=\${line%%|*} options=\${line#*|}
    if [[ "$name " == "$typed"?* && $current != -* ]]; then
      part=\${name#$typed}
      found+=(\${part%% *})
    elif [[ $typed == "$name "* && $current == -* ]]; then
      found+=(\${=options})
    fi
  done
  if (( $#found )); then compadd -a found; else _files; fi
}
(( $+functions[compdef] )) && compdef _continuity continuity
`,
} as const
