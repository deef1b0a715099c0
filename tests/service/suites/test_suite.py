"""A good suite is read, and a bad one gets the line, the field and the mend."""

from pathlib import Path

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.run import RunLimits
from aloi.core.simulation import simulations_content
from aloi.service.suites.suite import load_suite, parse_suite

EXAMPLE = Path(__file__).parents[3] / "examples" / "suite.yaml"


def faults(text: str, name: str = "suite.yaml") -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        parse_suite(text, name)
    return str(caught.value).splitlines()


def test_the_example() -> None:
    suite = load_suite(EXAMPLE)
    assert suite.name == "Refund questions"
    assert isinstance(suite.target, dict)
    assert suite.target["tools"] == ["calculator", "datetime"]
    assert suite.judge is not None
    assert (suite.judge.model, suite.judge.samples) == ("openai:gpt-4o-mini", 3)
    assert [(binding.name, binding.weight) for binding in suite.evaluators] == [("contains", 0)]
    assert suite.dataset == "cases.csv"
    assert [case.key for case in suite.cases] == ["annual-exception", "pro-rata"]
    assert suite.cases[0].assertions == ("Mentions the 30-day window", "Is under 120 words")
    assert suite.cases[1].evaluators[0].spec == {"kind": "regex", "pattern": r"\b180\b"}
    assert suite.run == RunLimits(max_cost=2.0)
    assert suite.gate is not None
    assert suite.gate.threshold == 0.8


def test_the_least_that_a_suite_has() -> None:
    suite = parse_suite("target: support-agent@3\ncases: [{prompt: Hello}]\njudge:\n", "folder/mine.yaml")
    assert (suite.name, suite.target, suite.judge, suite.run) == ("mine", "support-agent@3", None, RunLimits())
    assert (suite.dataset, len(suite.cases)) == (None, 1)


def test_a_json_suite() -> None:
    text = '{\n\t"target": "t",\n\t"cases": [{"prompt": "\\ud83d\\ude00"}],\n\t"gate": {"threshold": 2}\n}'
    assert faults(text, "suite.json") == ["suite.json:4: gate.threshold: must be at most 1"]
    suite = parse_suite(text.replace("2}", "0.5}"), "suite.json")
    assert suite.cases[0].input == "😀"


def test_texts_stay_texts() -> None:
    case = parse_suite("target: t\ncases:\n- {prompt: 2024-01-31, expected_output: no, tags: [on]}\n", "s.yaml").cases[
        0
    ]
    assert (case.input, case.expected_output, case.tags) == ("2024-01-31", "no", ("on",))


def test_every_fault_is_told_in_the_order_of_the_file() -> None:
    text = """\
name: Bad
target:
  kind: openai
  model: gpt
  modle: x
judge:
  model: openai:gpt-4o-mini
  samples: 9
  sampels: 3
evaluators:
  - {kind: contains, txt: refund}
  - {kind: contians, text: refund}
  - {text: refund}
  - {kind: llm_judge}
cases:
  - key: a
    promt: Hello
  - key: b
    prompt: 5
run: {concurrency: 0, trails: 2}
gate: {}
evaluator: []
"""
    assert faults(text) == [
        "suite.yaml:8: judge.samples: must be at most 5",
        "suite.yaml:9: judge.sampels: is not known here; did you mean samples?",
        "suite.yaml:13: evaluators[2]: an evaluator names its kind; write e.g. {kind: contains, text: Paris}",
        "suite.yaml:17: cases[0].promt: is not known here; did you mean prompt?",
        "suite.yaml:19: cases[1].prompt: must be a text (in quotes), or a mapping of keys to JSON values",
        "suite.yaml:20: run.concurrency: must be at least 1",
        "suite.yaml:20: run.trails: is not known here; did you mean trials?",
        "suite.yaml:21: gate.threshold: is missing",
        "suite.yaml:22: evaluator: is not known here; did you mean evaluators?",
    ]


def test_specs_are_checked_against_their_kinds() -> None:
    text = """\
target:
  kind: agent
  model: gpt
  instructoins: x
evaluators:
  - {kind: contains, text: refund}
  - {kind: contians, text: refund}
  - kind: llm_judge
  - kind: json_schema
    shema: {}
cases:
  - prompt: a
    evaluators:
      - kind: regex
        pattern: 5
    criteria:
      contains: {text: [1]}
      llm_judge: {threshold: 2}
      unknown: {}
"""
    assert faults(text) == [
        "suite.yaml:3: target.model: the model 'gpt' is not of the form provider:model; write e.g. openai:gpt",
        "suite.yaml:4: target.instructoins: is not known here; did you mean instructions?",
        "suite.yaml:7: evaluators[1].kind: there is no kind 'contians'; did you mean contains?",
        "suite.yaml:8: evaluators[2].rubric: is missing",
        "suite.yaml:9: evaluators[3].schema: is missing",
        "suite.yaml:10: evaluators[3].shema: is not known here; did you mean schema?",
        "suite.yaml:15: cases[0].evaluators[0].pattern: must be a text; put it in quotes",
        "suite.yaml:17: cases[0].criteria.contains.text: must be a text; put it in quotes",
        "suite.yaml:19: cases[0].criteria.unknown: no evaluator of that name is bound; those bound are: "
        "contains, contians, llm_judge, json_schema",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "- a\n- b\n",
            "suite.yaml:1: a suite must be a mapping of keys to values, e.g. `target: ...` and `cases: ...`",
        ),
        ("cases: [{prompt: a}]\n", "suite.yaml:1: target: is missing"),
        ("name: ''\ntarget: t\n", "suite.yaml:1: name: must have at least 1 characters"),
        (
            "\ntarget: [a]\n",
            "suite.yaml:2: target: must be a mapping with a kind, or the name of a saved target such as ",
        ),
        ("target: t\ncases: {prompt: a}\n", "suite.yaml:2: cases: must be a list"),
        ("target: t\ncases:\n- a\n", "suite.yaml:3: cases[0]: must be a mapping of keys to values"),
        ("target: t\nevaluators: [contains]\n", "suite.yaml:2: evaluators[0]: must be a mapping of keys to values"),
        ("target: t\njudge: openai:x\n", "suite.yaml:2: judge: must be a mapping of keys to values"),
        (
            "target: t\ncases:\n- {key: a, prompt: x}\n- key: a\n  prompt: y\n",
            "suite.yaml:4: cases[1].key: 'a' is already the key of cases[0]",
        ),
        ("target: t\ncases:\n- key: a\n", "suite.yaml:3: cases[0]: a case needs a prompt (text) or an input"),
        (
            'target: t\njudge: {model: "openai:\\0"}\n',
            "suite.yaml:2: judge.model: holds a NUL character, at position 7",
        ),
        ('target: t\ncases:\n- prompt: "a\\0"\n', "suite.yaml:3: cases[0].prompt: holds a NUL character"),
        ("target: {kind: opnai}\n", "suite.yaml:1: target.kind: there is no kind 'opnai'; did you mean openai?"),
        ("target: {model: 'openai:x'}\n", "suite.yaml:1: target.kind: is missing; the kinds are: agent, "),
    ],
)
def test_faults(text: str, message: str) -> None:
    (line,) = faults(text)
    assert line.startswith(message)


def test_the_dataset_must_be_there(tmp_path: Path) -> None:
    file = tmp_path / "suite.yaml"
    file.write_text("target: t\n\ndataset: gone.csv\n")
    with pytest.raises(InvalidInput) as caught:
        load_suite(file)
    assert str(caught.value).startswith(f"suite.yaml:3: dataset: there is no file {tmp_path / 'gone.csv'}; the path")
    (tmp_path / "gone.csv").write_text("prompt\n")
    assert load_suite(file).dataset == "gone.csv"


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"^gone\.yaml: it cannot be read: No such file"):
        load_suite(tmp_path / "gone.yaml")
    file = tmp_path / "latin.yaml"
    file.write_bytes(b"name: caf\xe9\n")
    with pytest.raises(InvalidInput, match=r"^latin\.yaml: byte 9 \(0xe9\) is not UTF-8"):
        load_suite(file)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "suite.yaml"
    file.write_bytes("target: café\r\n".encode(encoding))
    assert load_suite(file).target == "café"


SIMULATED = """\
target: {kind: agent, model: "openai:m", tools: [web_search]}
simulations:
  web_search: {kind: generated, description: Nothing is found.}
cases:
  - prompt: Search.
    simulations:
      web_search:
        kind: static
        answers:
          - output: []
            when: [{path: $.query, equals: null}]
"""


def test_simulations_of_the_suite_and_of_a_case() -> None:
    suite = parse_suite(SIMULATED, "s.yaml")
    assert simulations_content(suite.simulations) == {
        "web_search": {"kind": "generated", "description": "Nothing is found."}
    }
    [case] = suite.cases
    answer = {"output": [], "when": [{"path": "$.query", "equals": None}]}
    assert simulations_content(case.simulations) == {"web_search": {"kind": "static", "answers": [answer]}}


@pytest.mark.parametrize(
    ("there", "wrong", "fault"),
    [
        ("kind: generated, ", "", "3: simulations.web_search: lacks its 'kind'"),
        ("kind: generated", "kind: made", "must be one of 'static', 'generated', not 'made'"),
        ("description: Nothing", "says: Nothing", "3: simulations.web_search.description: is missing"),
        ("output: []", "outptu: []", "10: cases[0].simulations.web_search.answers[0].output: is missing"),
        ("equals: null", "equal: null", "11: cases[0].simulations.web_search.answers[0].when[0]"),
        ("$.query", "query", "11: cases[0].simulations.web_search.answers[0].when[0].path: the path 'query' is not"),
    ],
)
def test_a_fault_of_a_simulation_has_its_line(there: str, wrong: str, fault: str) -> None:
    assert any(fault in line for line in faults(SIMULATED.replace(there, wrong, 1), "s.yaml"))
