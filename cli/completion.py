"""`daide completion SHELL`: what a shell needs to complete commands and their options.

Commands are asked for their help, so what is completed is what they take.
"""

import re
from contextlib import redirect_stdout
from io import StringIO

from cli.main import SUBCOMMANDS, run
from cli.parsing import command_parser

EXAMPLE = """examples:
  daide completion bash > ~/.local/share/bash-completion/completions/daide
  daide completion fish > ~/.config/fish/completions/daide.fish
  echo 'source <(daide completion zsh)' >> ~/.zshrc        after compinit

Where nothing of ours fits, the shell completes the names of files."""
OPTION = re.compile(r"^  (?:-\w, )?(--[a-z-]+)", re.MULTILINE)
ACTIONS = re.compile(
    r"\{([a-z]+(?:,[a-z]+)+)\}|\b([a-z]+(?:\|[a-z]+)+)\b|daide [a-z]+ ([a-z]+) \.\.\."
)

BASH = """_daide() {
    local word="${COMP_WORDS[COMP_CWORD]}" known=""
    case "${COMP_WORDS[*]:1:$((COMP_CWORD-1))} " in
%(cases)s
    esac
    COMPREPLY=($(compgen -W "$known" -- "$word"))
    [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _daide daide
"""
ZSH = "autoload -Uz bashcompinit && bashcompinit\n"


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    parser = command_parser("completion", "Let your shell complete daide's commands.", EXAMPLE)
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="your shell")
    shell = parser.parse_args(arguments).shell
    words = known_words()
    if shell == "fish":
        print(fish(words), end="")
    else:
        print((ZSH if shell == "zsh" else "") + bash(words), end="")
    return 0


def known_words() -> dict[str, list[str]]:
    """Return for each command, also one of two words, what may follow it."""
    words = {"": [*sorted(SUBCOMMANDS), "--help", "--version"]}
    for name in sorted(SUBCOMMANDS):
        text = _help(name)
        # What stands in brackets are options, whose values are no commands.
        usage = re.sub(r"\[[^]]*\]", "", text.partition("\n\n")[0])
        actions = [
            each for found in ACTIONS.findall(usage) for each in re.split(r"[,|]", "".join(found))
        ]
        words[name] = [*actions, *OPTION.findall(text)]
        if _has_own_help(text, actions):
            words |= {f"{name} {each}": OPTION.findall(_help(name, each)) for each in actions}
    return words


def _has_own_help(text: str, actions: list[str]) -> bool:
    """Whether the choices are commands of their own, rather than values."""
    return bool(actions) and "usage: daide" in text and " ..." in text


def _help(*command: str) -> str:
    told = StringIO()
    with redirect_stdout(told):
        run(command[0], [*command[1:], "--help"])
    return told.getvalue()


def bash(words: dict[str, list[str]]) -> str:
    """Return the completion for bash."""
    # The longest first: a command of two words is also one of its first word.
    names = sorted(words, key=lambda name: -len(name.split()))
    patterns = {name: f'"{name} "*' if name else "*" for name in names}
    cases = (f'        {patterns[name]}) known="{" ".join(words[name])}" ;;' for name in names)
    return BASH % {"cases": "\n".join(cases)}


def fish(words: dict[str, list[str]]) -> str:
    """Return the completion for fish."""
    lines = []
    for name, known in words.items():
        seen = [f"__fish_seen_subcommand_from {each}" for each in name.split()]
        test = "; and ".join(seen) or "__fish_use_subcommand"
        plain = [each for each in known if not each.startswith("--")]
        if plain:
            files = "-f " if not name else ""
            lines.append(f"complete -c daide {files}-n '{test}' -a '{' '.join(plain)}'")
        options = (each.removeprefix("--") for each in known if each.startswith("--"))
        lines += [f"complete -c daide -n '{test}' -l {each}" for each in options]
    return "\n".join(lines) + "\n"
