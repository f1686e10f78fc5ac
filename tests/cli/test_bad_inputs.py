"""Bad input, command by command and option by option: a sentence, exit code 2, nothing left behind.

Whoever finds a mistake that is answered otherwise adds a row.
"""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli import children
from cli.main import SUBCOMMANDS, main
from rules.errors import BadInputError
from rules.maps import load_map_file
from tests.cli.processes import descendants
from tests.feed.brokers import free_port
from tournament.game_result import result_from_line

BROKEN = {
    "syntax.py": "class Bot(:\n",
    "imports.py": "import no_such_thing_anywhere\n",
    "raises.py": "1 / 0\n",
    "leaves.py": "import sys\nsys.exit(3)\n",
    "wants.py": "from bots.holdbot import HoldBot\nclass Bot(HoldBot):\n"
    "    def __init__(self, strength):\n        pass\n",
    "fails.py": "from bots.holdbot import HoldBot\nclass Bot(HoldBot):\n"
    "    def __init__(self):\n        raise ValueError('the model is missing')\n",
    "nobot.py": "class Bot:\n    pass\n",
    "value.py": "Bot = 7\n",
}
RECORD = (Path(__file__).parents[1] / "data" / "page" / "record.json").read_text()
RECORD_READ = json.loads(RECORD.partition("\n")[0])
FILES = {
    "text.txt": "this is neither TOML nor JSON {",
    "empty.txt": "",
    "unknown.toml": "no-such-key = 1\n",
    "huge.toml": f"games = {'9' * 5000}\n",
    "near.toml": "press-levle = 20\n",
    "year.toml": "last-year = 1850\n",
    "kind.toml": "port = 'many'\n",
    "plan.toml": 'games = 3\n[[fields]]\nname = "one"\nplayers = { nobot = 7 }\n',
    "own.toml": 'games = 3\n[[fields]]\nname = "one"\nplayers = { "syntax:Bot" = 7 }\n',
    "seats.toml": 'games = 3\n[[fields]]\nname = "one"\nplayers = { dumbbot = 6 }\n',
    "games/games.jsonl": "not a game\n",
    "busy/notes.txt": "somebody's notes",
    "record": RECORD,
    "orders": json.dumps(RECORD_READ | {"turns": [RECORD_READ["turns"][0] | {"orders": [7]}]}),
    "units": json.dumps(RECORD_READ | {"start": RECORD_READ["start"] | {"units": {"FRA": ["A"]}}}),
    "damaged": RECORD.replace('"units"', '"unist"'),
}

# Each row is a command line, and what its sentence names.
ROWS = """
nosuchcommand                                         | 'nosuchcommand'
--nosuch                                              | '--nosuch'
paly                                                  | did you mean play?
play --varaint lagoon                                 | did you mean --variant?
''                                                    | ''
admin                                                 | WORD
admin --port 99999 status                             | --port: 99999
admin --port x status                                 | --port: 'x'
admin --secret-file nothere status                    | --secret-file nothere
admin --secret-file empty.txt status                  | --secret-file empty.txt
admin --game                                          | --game
admin --host                                          | --host
admin --host . status                                 | --host: '.'
admin --host=-- status                                | --host: '--' is no value
admin --host '' status                                | --host: ''
admin become master sesame                            | secret
admin --secret-file . status                          | --secret-file .
admin --secret-file binary status                     | --secret-file binary
adjudicate nothere                                    | nothere
adjudicate .                                          | '.'
adjudicate --variant nowhere text.txt                 | nowhere
adjudicate --notes x text.txt                         | --notes
adjudicate a b                                        | b
adjudicate ''                                         | ''
adjudicate --variant=-- text.txt                      | --variant: '--' is no value
adjudicate --variant LONG text.txt                    | File name too long
adjudicate --vari lagoon text.txt                     | did you mean --variant?
adjudicate TWOLINES                                   | 'a\\nb'
bot                                                   | name a bot
bot nobot                                             | 'nobot'
bot dumbbto                                           | did you mean dumbbot?
bot ''                                                | bot
bot dumbbot/nosuch                                    | 'nosuch'
bot dumbbot/x=1                                       | x
bot dumbbot+nobot                                     | 'nobot'
bot nowhere:Bot                                       | 'nowhere'
bot syntax:Bot                                        | syntax.py, line 1
bot imports:Bot                                       | no_such_thing_anywhere
bot raises:Bot                                        | ZeroDivisionError
bot leaves:Bot                                        | leaves.py, line 2
bot wants:Bot                                         | strength
bot fails:Bot                                         | the model is missing
bot nobot:Bot                                         | nobot:Bot
bot value:Bot                                         | 'Bot'
bot value:Nothing                                     | 'Nothing'
bot :                                                 | ':'
bot dumbbot --port 99999                              | --port: 99999
bot dumbbot --port 0                                  | --port: 0
bot dumbbot --port x                                  | --port: 'x'
bot dumbbot --host                                    | --host
bot dumbbot --power FRA                               | --passcode
bot dumbbot --passcode 12                             | --power
bot dumbbot --power FRA --passcode x                  | --passcode: 'x'
bot dumbbot --power FRA --passcode -1                 | --passcode: -1
bot dumbbot --seed x                                  | --seed: 'x'
bot dumbbot --seed -1                                 | --seed: -1
bot dumbbot --think -3                                | --think: '-3'
bot dumbbot --think nan                               | --think: 'nan'
bot dumbbot --think 0                                 | --think: '0'
bot dumbbot --variant nosuch                          | 'nosuch'
bot dumbbot --name                                    | --name
bot --exec no-such-program-anywhere                   | no-such-program-anywhere
bot --exec 'a "b'                                     | --exec
bot --exec ''                                         | --exec: there is no program
bot --exec '  '                                       | --exec: there is no program
bot --exec ./text.txt                                 | ./text.txt
bot --exec .                                          | '.'
bot holdbot holdbot                                   | holdbot
bot dumbbot --exec true                               | --exec
bots --nosuch                                         | --nosuch
bots host                                             | --mqtt
bots host --mqtt bad://x --offer dumbbot              | --mqtt: no such scheme
bots host --mqtt x:y --offer dumbbot                  | --mqtt
bots host --mqtt '[red]' --offer dumbbot              | --mqtt: '[red]'
bots host --mqtt localhost --offer ''                 | --offer
bots host --mqtt localhost --offer nobot              | 'nobot'
bots host --mqtt localhost --offer syntax:Bot         | syntax.py
bots host --mqtt localhost --offer dumbbot --most 0   | --most: 0
bots host --mqtt localhost --offer dumbbot --seed x   | --seed: 'x'
bots host --mqtt localhost --offer dumbbot --think -1 | --think: '-1'
bots host --mqtt localhost --offer dumbbot --name a/b | --name
compare dumbbot                                       | daide compare
compare dumbbot nobot                                 | nobot
compare dumbbot holdbot --against nobot               | nobot
compare dumbbot holdbot --games x                     | --games
compare dumbbot holdbot --press-level 15              | --press-level
compare dumbbot holdbot --last-year x                 | --last-year
compare dumbbot holdbot --think -1                    | --think
compare dumbbot holdbot --variant nowhere             | nowhere
compare dumbbot holdbot --seed x                      | --seed
compare dumbbot holdbot --jobs 0                      | --jobs
compare '' ''                                         | A:
compare dumbbot holdbot --games 0                     | --games: 0
compare dumbbot holdbot --games -5                    | --games: -5
compare dumbbot holdbot --games HUGE                  | --games: '999
compare dumbbot holdbot --games 99999999              | --games: 99999999
compare dumbbot holdbot --think nan                   | --think: 'nan'
compare dumbbot holdbot --last-year 99999             | --last-year: 99999
compare dumbbot holdbot --jobs 100000                 | --jobs: 100000
compare dumbbot holdbot --against ''                  | --against
compare dumbbot holdbot --last-year 1800              | --last-year
tables nothere --out z                                | nothere
tables busy --out z                                   | busy
tables                                                | DIR
tables games                                          | --out
tables text.txt --out z                               | text.txt
tables games --out text.txt                           | games.jsonl
tables games --out z --format xml                     | --format
doctor --port 99999                                   | --port: 99999
doctor extra                                          | extra
completion                                            | shell
completion tcsh                                       | tcsh
completion bash extra                                 | extra
export nothere --format svg                           | nothere
export text.txt --format svg                          | text.txt
export binary --format gif                            | binary
export binary --format html                           | binary
export text.txt --format html --turn S1901M           | --turn
export text.txt --format html --width 300             | --width
export record --format svg                            | --out
export record --format png --turn S1901M              | --out
export record --format gif                            | --out
export damaged --format html                          | the record is damaged
export orders --format daide-log                      | the record is damaged
export orders --format diplomacy-json                 | the record is damaged
export orders --format html                           | the record is damaged
export units --format html                            | the record is damaged
play --resume units --turn S1901M                     | units: not a unit: 'A'
serve --resume units --turn S1901M                    | units: not a unit: 'A'
watch units                                           | units: not a unit: 'A'
watch orders                                          | the record is damaged
export text.txt                                       | --format
export text.txt --format x                            | --format
export games --format csv                             | games
export games/games.jsonl --format csv                 | games.jsonl
export text.txt --format gif --width 99999999         | --width
export text.txt --format svg --width 5                | --width
export text.txt --format svg --width x                | --width
export text.txt --format svg --theme x                | --theme
export nothere --format svg --turn x --game y --out z | nothere
import nothere                                        | nothere
import text.txt                                       | text.txt
import binary                                         | binary
import games                                          | games
import empty.txt                                      | empty.txt
import text.txt --out nowhere/game.json               | nowhere
parse --level 15 NOW                                  | --level
parse --level x NOW                                   | --level
searchbot                                             | train
searchbot nosuch                                      | nosuch
searchbot train --out w.gz                            | --games
searchbot train --games 0 --out w.gz                  | --games
searchbot train --games x --out w.gz                  | --games
searchbot train --games 5 --searched x --out w.gz     | --searched
searchbot train --games 5 --hidden 0 --out w.gz       | --hidden
searchbot train --games 5 --hidden 9999 --out w.gz    | --hidden
searchbot train --games 5 --seed x --out w.gz         | --seed
searchbot train --games 5 --out nowhere/w.gz          | nowhere
searchbot train --games 5 --out .                     | --out
searchbot train --games 5 --out text.txt              | text.txt
patterns                                              | train
patterns nosuch                                       | nosuch
patterns train --out w.gz                             | --games
patterns train --games 0 --out w.gz                   | --games
patterns train --games x --out w.gz                   | --games
patterns train --games 5 --out nowhere/w.gz           | nowhere
patterns train --games 5 --out .                      | --out
patterns train --games 5 --out text.txt               | text.txt
patterns train --games 5 --out text.txt --resume      | text.txt
patterns train --games 5 --out w.gz --variant nosuch  | nosuch
patterns train --games 5 --out w.gz --candidates 0    | --candidates
patterns train --games 5 --out w.gz --seed x          | --seed
patterns show nothere --power TUR                     | nothere
patterns show text.txt --power TUR                    | text.txt
patterns show binary --power TUR                      | binary
patterns show text.txt                                | --power
patterns show text.txt --power TUR --most x           | --most
patterns show text.txt --power TUR --least-age x      | --least-age
play nonsense                                         | nonsense
play --nosuch                                         | --nosuch
play --bots ''                                        | --bots
play --bots ,                                         | --bots
play --bots nobot*7                                   | 'nobot'
play --bots dumbbot*8                                 | --bots
play --bots dumbbot*6                                 | --bots
play --bots dumbbot*0                                 | --bots
play --bots dumbbot*x                                 | --bots
play --bots dumbbot*99999999999                       | 99999999999 bots for 7
play --bots a*b*c                                     | 'a*b*c'
play --bots =dumbbot                                  | '=dumbbot'
play --bots FRA=dumbbot,FRA=holdbot,holdbot*5         | FRA is given to two
play --bots FRA=dumbbot*2,holdbot*5                   | one power to 2
play --bots XXX=dumbbot,holdbot*6                     | XXX
play --bots syntax:Bot*7                              | syntax.py
play --bots imports:Bot*7                             | no_such_thing_anywhere
play --bots fails:Bot*7                               | the model is missing
play --bots wants:Bot*7                               | strength
play --variant nowhere                                | nowhere
play --variant ''                                     | no variant files
play --press-level 15                                 | --press-level: 15
play --press-level x                                  | --press-level: 'x'
play --last-year 1850                                 | --last-year
play --last-year x                                    | --last-year: 'x'
play --last-year 99999                                | --last-year: 99999
play --seed -5                                        | --seed: -5
play --seed x                                         | --seed: 'x'
play --think -3                                       | --think: '-3'
play --think x                                        | --think: 'x'
play --turn-limit 0                                   | --turn-limit: '0'
play --human XXX                                      | XXX
play --human ''                                       | --human
play --human FRA,                                     | --human
play --human FRA --bots FRA=dumbbot,holdbot*6         | FRA is yours by --human
play --watch --web-port 99999                         | --web-port: 99999
play --watch --web-port TAKEN                         | TAKEN
play --last-year 1901 --last-year x                   | --last-year: 'x'
play --record .                                       | --record: '.'
play --record nowhere/game.json                       | --record: there is no folder 'nowhere'
play --record ''                                      | --record
play --record /dev/null/game.json                     | /dev/null
play --mqtt bad://x                                   | --mqtt: no such scheme
play --resume nothere --turn F1903M                   | --resume: nothere
play --resume text.txt --turn F1903M                  | --resume: text.txt
play --resume binary --turn F1903M                    | --resume: binary
play --resume record --turn S1999M                    | has no turn S1999M
play --resume record --turn spring                    | --turn: no such turn: 'spring'
play --resume record                                  | --turn
play --turn S1901M                                    | --resume
play --resume record --turn S1901M --variant lagoon   | --variant
serve nonsense                                        | nonsense
serve --port 99999                                    | --port: 99999
serve --port HUGE                                     | --port: '999
serve --host . --port 0                               | --host: '.'
serve --config huge.toml                              | huge.toml: not TOML
serve --port TAKEN                                    | TAKEN
serve --host 999.999.999.999                          | 999.999.999.999
serve --host 203.0.113.7 --port 0                     | 203.0.113.7
serve --host no.such.invalid --port 0                 | no.such.invalid
serve --press-level 15                                | --press-level: '15'
serve --variant nowhere                               | nowhere
serve --games 0                                       | --games: 0
serve --resume nothere --turn F1903M                  | nothere
serve --resume text.txt --turn 'FAL 1903'             | text.txt
serve --resume record --turn S1999M                   | has no turn S1999M
serve --resume text.txt                               | --resume
serve --resume games/games.jsonl --turn S1901M          | games.jsonl
serve --turn nonsense                                 | --turn: 'nonsense'
serve --turn 'FAL x'                                  | --turn: 'FAL x'
serve --exit-after 0                                  | --exit-after: 0
serve --store .                                       | '.'
serve --store nowhere/games.db                        | nowhere
serve --store text.txt                                | text.txt
serve --store ''                                      | --store
serve --store /dev/null/games.db                      | /dev/null
serve --store /dev/full                               | /dev/full
serve --durability x                                  | --durability: 'x'
serve --movement-limit -1                             | --movement-limit: -1
serve --retreat-limit x                               | --retreat-limit: 'x'
serve --build-limit x                                 | --build-limit: 'x'
serve --press-limit x                                 | --press-limit: 'x'
serve --last-year 1850                                | --last-year
serve --years-without-change 0                        | --years-without-change: 0
serve --absent x                                      | --absent: 'x'
serve --stand-in-after -1                             | --stand-in-after: '-1'
serve --stand-in nobot                                | 'nobot'
serve --fill nobot                                    | --fill
serve --fill syntax:Bot                               | syntax.py
serve --fill-after x                                  | --fill-after: 'x'
serve --press-rounds 0                                | --press-rounds: 0
serve --map-limit x                                   | --map-limit: 'x'
serve --deserted x                                    | --deserted: 'x'
serve --expire-after x                                | --expire-after: 'x'
serve --return-grace x                                | --return-grace: 'x'
serve --linger x                                      | --linger: 'x'
serve --record .                                      | --record: '.'
serve --record nowhere/games.json                     | --record: there is no folder 'nowhere'
serve --seed -5                                       | --seed: -5
serve --tls-cert nothere --tls-key nothere            | --tls-cert nothere: cannot be read
serve --tls-cert nothere                              | --tls-cert nothere: cannot be read
serve --tls-cert text.txt --tls-key nothere           | serve: --tls-key nothere
serve --tls-cert text.txt --tls-key text.txt          | --tls-key text.txt: no certificate
serve --tls-cert text.txt                             | --tls-cert text.txt: no certificate
serve --tls-key text.txt                              | --tls-cert
serve --mqtt bad://x                                  | --mqtt: no such scheme
serve --mqtt localhost --mqtt-name a/b                | --mqtt-name
serve --bot-hosts                                     | --mqtt
serve --announce ''                                   | --announce
serve --metrics x                                     | --metrics: 'x'
serve --metrics TAKEN                                 | TAKEN
serve --metrics 203.0.113.7:0 --port 0                | 203.0.113.7
serve --web 203.0.113.7:0 --port 0                    | 203.0.113.7
serve --web x                                         | --web: 'x'
serve --web TAKEN                                     | TAKEN
serve --web-name ''                                   | --web-name
serve --web-press x                                   | --web-press: 'x'
serve --dialect x                                     | --dialect: 'x'
serve --log-level x                                   | --log-level: 'x'
serve --config nothere                                | nothere
serve --config text.txt                               | text.txt
serve --config binary                                 | binary
serve --config .                                      | .
serve --config /dev/null/x                            | /dev/null/x
serve --config unknown.toml                           | no-such-key
serve --config near.toml                              | did you mean press-level?
serve --config year.toml                              | last-year
serve --config kind.toml                              | 'many'
tournament nosuch                                     | 'nosuch'
tournament rum                                        | did you mean run?
tournament run                                        | SPEC
tournament run nothere.toml                           | nothere.toml
tournament run quikc                                  | did you mean quick?
tournament run .                                      | .
tournament run binary                                 | binary
tournament run text.txt                               | text.txt
tournament run huge.toml                              | huge.toml: not TOML
tournament run plan.toml                              | 'nobot'
tournament run own.toml                               | syntax.py
tournament run seats.toml                             | players
tournament run quick --jobs 0                         | --jobs: 0
tournament run quick --jobs x                         | --jobs: 'x'
tournament run quick --seed x                         | --seed: 'x'
tournament run quick --out text.txt                   | text.txt
tournament run quick --out games                      | games
tournament run quick --out /dev/null/x                | /dev/null/x
tournament run quick extra                            | extra
tournament run quick --dask nonsense                  | nonsense
tournament run quick --dask tcp://127.0.0.1:1 --jobs 2| --jobs
tournament report                                     | DIR
tournament report nothere                             | nothere
tournament report busy                                | busy
tournament report text.txt                            | text.txt
tournament report games extra                         | extra
tournament report games --score ''                    | --score
tournament report games                               | games.jsonl
tournament report games --score nosuch                | nosuch
tournament report games --table                       | --table
tournament matrix                                     | --players
tournament matrix --players dumbbot,nosuch            | 'nosuch'
tournament matrix --players dumbbot                   | --players
tournament matrix --players dumbbot,,dbrane           | --players
tournament matrix --players dumbbot,dumbbot           | 'dumbbot'
tournament matrix --players dumbbot --against x,x     | --against
tournament matrix --players dumbbot,dbrane --games 0  | --games: 0
tournament matrix --players dumbbot,dbrane --jobs x   | --jobs: 'x'
tournament matrix --players dumbbot,dbrane --seed x   | --seed: 'x'
tournament matrix --players dumbbot,dbrane --press-level 7 | --press-level: 7
tournament matrix --players dumbbot,dbrane --last-year 5 | --last-year: 5
tournament matrix --players dumbbot,dbrane --also nothere | nothere
tournament matrix --players dumbbot,dbrane --out text.txt | text.txt
tournament matrix --players dumbbot,dbrane --picture nothere/a.svg | nothere
tournament matrix --players dumbbot/loyalty=1,dbrane  | 'loyalty'
tournament matrix --players bordeaux/loyalty=2,dbrane | loyalty
tournament matrix --players probable/rounds=-1,dbrane | rounds
tournament reproduce NOSUCH                           | 'NOSUCH'
tournament reproduce D1 --jobs 0                      | --jobs: 0
tournament reproduce D1 --size x                      | --size
tournament reproduce D1 --experiments nothere         | nothere
tournament reproduce D1 --out text.txt                | text.txt
tournament reproduce D1 --all                         | --all
tournament collect --out o                            | --mqtt
tournament collect --mqtt bad://x --out o             | --mqtt: no such scheme
tournament collect --mqtt localhost --out text.txt    | text.txt
tournament collect --mqtt localhost --out o --games 0 | --games: 0
tournament collect --mqtt localhost --out o --server a/b | --server
watch nothere                                         | nothere
watch binary                                          | binary
watch text.txt                                        | text.txt
watch record --port 16713                             | --port
watch record --host localhost                         | --host
watch record --variant lagoon                         | --variant
watch record --game nosuch                            | 'nosuch'
watch damaged                                         | the record is damaged
watch nothere --browser                               | nothere
watch binary --browser                                | binary
watch text.txt --browser                              | text.txt
watch text.txt --browser --web-port 99999             | --web-port: 99999
watch --browser --json                                | --json
watch --browser --variant nowhere                     | nowhere
watch --browser --mqtt bad://x                        | --mqtt: no such scheme
watch text.txt --browser --mqtt mqtt://x              | --mqtt
watch --browser --web-port TAKEN                      | TAKEN
watch --port 99999                                    | --port: 99999
watch --host                                          | --host
watch --game                                          | --game
watch --server x                                      | --server
watch --mqtt localhost --port 16713                   | --port
watch --mqtt localhost --host localhost               | --host
watch text.txt --browser --web-port TAKEN             | text.txt
watch --mqtt bad://x                                  | --mqtt: no such scheme
watch --mqtt localhost --variant nowhere              | nowhere
"""


def rows() -> list[tuple[str, str]]:
    found = [line.rpartition("|") for line in ROWS.strip().splitlines()]
    return [(line.strip(), named.strip()) for line, _, named in found]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Stand in a folder with broken things in it."""
    for name, text in (BROKEN | FILES).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "binary").write_bytes(bytes(range(128, 256)) * 4)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DAIDE_PURE", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in BROKEN:
        sys.modules.pop(name.removesuffix(".py"), None)


@pytest.fixture(scope="module")
def taken() -> Iterator[str]:
    """Return a port that somebody else has."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield str(server.getsockname()[1])


def everything(folder: Path) -> set[str]:
    found = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    return {name for name in found if "__pycache__" not in name}


@pytest.mark.parametrize(("line", "named"), rows(), ids=lambda each: each)
def test_bad_input_gets_a_sentence_and_leaves_nothing(
    line: str, named: str, place: Path, taken: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before, processes = everything(place), descendants(os.getpid())
    stands_for = {"TAKEN": taken, "LONG": "x" * 5000, "HUGE": "9" * 5000, "TWOLINES": "a\nb"}
    code = main([stands_for.get(word, word) for word in shlex.split(line)])
    out, err = capfd.readouterr()
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert err.count("\n") == 1, err
    assert err.startswith("daide")
    assert named.replace("TAKEN", taken) in err
    assert everything(place) == before
    assert descendants(os.getpid()) == processes


@pytest.mark.parametrize("command", ["admin status", "bot holdbot --quiet", "watch"])
def test_no_server_is_said_in_a_sentence(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    port = free_port()
    assert main([*command.split()[:1], "--port", str(port), *command.split()[1:]]) == 1
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"no server answers at 127.0.0.1:{port} (connection refused)" in err


def test_a_line_of_brackets_is_answered_in_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = '{"turn": ["SPR", 1901], "units": {"ENG": ["F LON"]}}'
    (tmp_path / "lines").write_text("[" * 100_000 + "\n" + good + "\n")
    assert main(["adjudicate", str(tmp_path / "lines")]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {"error": "line 1: brackets are nested too deeply"}
    assert second["units"] == {"ENG": ["F LON"]}


def test_a_number_of_thousands_of_digits_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "lines"
    lines.write_text('{"year": ' + "9" * 5_000 + "}\n")
    assert main(["adjudicate", str(lines)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told == {"error": "line 1: a number has thousands of digits"}
    assert main(["import", str(lines)]) == 2
    assert capsys.readouterr().err.endswith(f"{lines}: line 1: not JSON\n")
    with pytest.raises(BadInputError, match="integer string"):
        load_map_file(lines)
    for place in ("[" * 100_000, '{"year": ' + "9" * 5_000 + "}"):
        with pytest.raises(BadInputError, match="not JSON"):
            result_from_line(place, "results, line 1")


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_a_line_that_is_no_utf_8_is_answered_in_its_place(source: str, tmp_path: Path) -> None:
    good = b'{"turn": ["SPR", 1901], "units": {"ENG": ["F LON"]}}\n'
    lines = good + b'{"turn": "M\xfcnchen"}\n' + '{"turn": "München"}\n'.encode() + good
    (tmp_path / "lines").write_bytes(lines)
    command = children.command(["adjudicate", *([str(tmp_path / "lines")] * (source == "file"))])
    # Whatever the locale says of standard input.
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run(command, input=lines, capture_output=True, check=False, env=environment)
    first, second, third, fourth = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (1, b"")
    column = "at column 12; save the line as UTF-8"
    assert second == {"error": f"line 2: not UTF-8: byte 0xfc {column}"}
    assert third["error"].startswith("line 3: the field 'turn' must be a list")
    assert first == fourth
    assert first["units"] == {"ENG": ["F LON"]}


@pytest.mark.skipif(os.name != "posix", reason="needs `ulimit`")
def test_a_disk_without_room_ends_a_tournament_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        'variant = "lagoon"\ngames = 9\nlast_year = 1901\nbalance = false\n'
        '[[fields]]\nname = "one"\nplayers = { holdbot = 3 }\n'
    )
    run = children.command(["tournament", "run", "plan.toml", "--out", "out", "--json"])
    done = subprocess.run(
        ["/bin/sh", "-c", f"ulimit -f 2; exec {shlex.join(run)}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "out/games.jsonl: cannot be written: File too large" in done.stderr
    assert "--resume" in done.stderr


OPTION = re.compile(r"^  (?:-\w, )?(--[a-z-]+) [A-Z[]", re.MULTILINE)
COMMANDS = [
    *([name] for name in SUBCOMMANDS),
    ["bots", "host"],
    ["patterns", "train"],
    ["patterns", "show"],
    *(["tournament", name] for name in ("run", "report", "reproduce", "collect", "matrix")),
]
# Every text is right for these.
ANY_TEXT: set[str] = set()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_option_that_takes_a_value_has_a_row(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--help"]) == 0
    options = set(OPTION.findall(capsys.readouterr().out))
    lines = [shlex.split(line) for line, _ in rows()]
    tried = {word for line in lines if line[: len(command)] == command for word in line}
    assert options - tried - ANY_TEXT == set()
