import { DEFAULT_COMMAND, type CommandWords, type OptionWords, type ValueWords } from './command-words.js';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

function action(value: ValueWords): string {
  if (value.words.length > 0 && value.files) return '_mock_flink_scenarios';
  if (value.files) return '_files';
  return value.words.length > 0 ? `(${value.words.join(' ')})` : ' ';
}

function optionSpecs({ flags, help, value, isRepeatable }: OptionWords): string[] {
  const others = flags.length > 1 && !isRepeatable ? `(${flags.join(' ')})` : '';
  return flags.map((flag) => {
    const takes = value ? `${flag.startsWith('--') ? '=' : '+'}` : '';
    return quoted(`${isRepeatable ? '*' : others}${flag}${takes}[${escaped(help)}]${value ? `:value:${action(value)}` : ''}`);
  });
}

function commandCase({ name, options, argument }: CommandWords): string {
  const specs = [...options.flatMap(optionSpecs), ...(argument ? [quoted(`*:argument:${action(argument)}`)] : [])];
  return `    ${name}) _arguments ${specs.length === 0 ? "'*: : '" : specs.join(' \\\n      ')} ;;`;
}

/** A script for zsh: sourced, or as a file named `_mock-flink` in a folder of $fpath. */
export function zshCompletion(commands: readonly CommandWords[], globals: readonly OptionWords[], scenarios: readonly string[]): string {
  return `#compdef mock-flink
# Completion of mock-flink for zsh:     source <(mock-flink completion zsh)
_mock_flink_scenarios() {
  _alternative 'scenarios:scenario:(${scenarios.join(' ')})' 'files:file:_files'
}
_mock_flink() {
  local command=${DEFAULT_COMMAND}
  case $words[2] in
    ${commands.map(({ name }) => name).join('|')}) command=$words[2]; shift words; (( CURRENT-- )) ;;
    *)
      if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        local -a names=(
${commands.map(({ name, help }) => `          ${quoted(`${name}:${escaped(help)}`)}`).join('\n')}
        )
        _describe command names
        return
      fi
      if (( CURRENT == 2 )); then
        _arguments ${globals.flatMap(optionSpecs).join(' ')} && return
      fi ;;
  esac
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _mock-flink ]]; then _mock_flink "$@"; else compdef _mock_flink mock-flink; fi
`;
}
