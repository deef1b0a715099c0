"""YAML is read as people expect it, with the line of every part."""

import pytest
import yaml
from hypothesis import given
from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.service.suites import yaml_document
from aloi.service.suites.yaml_document import read_yaml
from tests.service.files.strategies import VALUES


def value(text: str) -> JsonValue:
    return read_yaml(text, "s.yaml").value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("2024-01-31", "2024-01-31"),
        ("2024-01-31 10:00:00", "2024-01-31 10:00:00"),
        ("12:30:45", "12:30:45"),
        ("~", None),
        ("null", None),
        ("a:", {"a": None}),
        ("-7", -7),
        ("+7", 7),
        ("007", "007"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("2.00", 2.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("'5'", "5"),
        ("!!str 5", "5"),
        ("{1: a, true: b}", {"1": "a", "true": "b"}),
        ("<<: {a: 1}", {"<<": {"a": 1}}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
        ("# only\n- été 😀", ["été 😀"]),
    ],
)
def test_what_scalars_mean(text: str, expected: JsonValue) -> None:
    assert repr(value(text)) == repr(expected)


def test_every_part_knows_its_line() -> None:
    document = read_yaml("a:\n  b: 1\n  c:\n  - x\n  - d: 2\n\ne: {f: 3}\n", "s.yaml")
    expected = {("a",): 1, ("a", "b"): 2, ("a", "c"): 3, ("a", "c", 0): 4, ("a", "c", 1, "d"): 5, ("e", "f"): 7}
    assert {path: document.line_of(path) for path in expected} == expected
    assert document.line_of(("a", "missing")) == 1
    assert document.line_of(()) == document.line_of(("z",)) == 1


class Quoting(yaml.SafeDumper):
    """Writes every text in quotes. PyYAML leaves `0E0` plain, which is text in YAML 1.1 and a number in 1.2."""


Quoting.add_representer(str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"'))


@given(VALUES)
def test_what_yaml_writes_is_read_back(given: JsonValue) -> None:
    assert value(yaml.dump(given, Dumper=Quoting)) == given


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: x: y\n", "s.yaml:2: this is not YAML: mapping values are not allowed in this context; check"),
        ("a: [1, 2\nb: 3\n", "s.yaml:2: this is not YAML: did not find expected ',' or ']'; check"),
        ("a: 1\n---\nb: 2\n", "s.yaml:2: this is not YAML: but found another document; check"),
        ("a: *b\n", "s.yaml:1: this is not YAML: found undefined alias"),
        ("a: \x07\n", "s.yaml: this is not YAML: "),
        ("a: 1\nb:\n  c: 1\n  c: 2\n", "s.yaml:4: b.c: already stands on line 3; remove one"),
        ("a: 1\n\nb: .nan\n", "s.yaml:3: b: '.nan' is no number that JSON has; write a finite number, or put"),
        ("a: [-.inf]\n", "s.yaml:1: a[0]: '-.inf' is no number that JSON has; write"),
        ("a: 1e999\n", "s.yaml:1: a: '1e999' is no number"),
        (f"a: {'9' * 5000}\n", "s.yaml:1: a: '9999"),
        ("a: !!python/object/apply:os.system [ls]\n", "s.yaml:1: a: the tag tag:yaml.org,2002:python/object/apply"),
        ("a: !secret x\n", "s.yaml:1: a: the tag !secret is not known here; remove it"),
        ("? [1]\n: 2\n", "s.yaml:1: a key must be a text; put it in quotes"),
        ("a: &x\n  - *x\n", "it is nested more than 100 levels deep; does an anchor hold itself?"),
        ("[" * 5000, "s.yaml:1: this is not YAML: "),
    ],
    ids=lambda text: text[:30],
)
def test_faults_name_the_line(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        value(text)
    assert message in str(caught.value)


def test_anchors_cannot_blow_a_file_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_document, "MAX_VALUES", 1000)
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    with pytest.raises(InvalidInput, match="grows beyond 1,000 values by its anchors"):
        value(bomb)


def test_the_pure_python_loader_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_document, "Loader", yaml.SafeLoader)
    assert value("a: no\nb: 2024-01-31\nc: [1, true]\n") == {"a": "no", "b": "2024-01-31", "c": [1, True]}
    with pytest.raises(InvalidInput):
        value("[" * 50_000)
