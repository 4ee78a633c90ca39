import { DEFAULT_COMMAND, type CommandWords, type OptionWords, type ValueWords } from './command-words.js';

const quoted = (words: readonly string[]): string => `'${words.join(' ')}'`;

function assignment({ words, files }: ValueWords): string {
  return `words=${quoted(words)} files=${files ? 'yes' : ''}`;
}

function valueCases({ name, options }: CommandWords): string[] {
  return options.flatMap(({ flags, value }) => (value ? [`    ${flags.map((flag) => `${name}:${flag}`).join('|')}) ${assignment(value)} ;;`] : []));
}

const allFlags = (options: readonly OptionWords[]): string[] => options.flatMap(({ flags }) => flags);

/** A script for bash ≥ 4; it needs nothing else, bash-completion neither. */
export function bashCompletion(commands: readonly CommandWords[], globals: readonly OptionWords[]): string {
  const names = commands.map(({ name }) => name);
  return `# Completion of mock-flink for bash:     source <(mock-flink completion bash)
_mock_flink() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command= words= files= i
  # \`--clock=man\` are three words
  if [[ $current == = ]]; then current=
  elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${names.join('|')}) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case \${command:-${DEFAULT_COMMAND}}:$previous in
${commands.flatMap(valueCases).join('\n')}
    *)
      case $command:$current in
        :-*) words=${quoted([...new Set([...allFlags(globals), ...allFlags(commands.find(({ name }) => name === DEFAULT_COMMAND)!.options)])])} ;;
        :*) words=${quoted(names)} ;;
${commands
  .flatMap(({ name, options, argument }) => [`        ${name}:-*) words=${quoted(allFlags(options))} ;;`, ...(argument ? [`        ${name}:*) ${assignment(argument)} ;;`] : [])])
  .join('\n')}
      esac ;;
  esac
  local IFS=$' \\n'
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $files ]]; then
    IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _mock_flink mock-flink
`;
}
