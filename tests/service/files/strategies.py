"""Cases of every shape that a file can hold."""

from typing import get_args

from hypothesis import strategies as st

from aloi.core.case import Case, CaseStatus
from aloi.core.media_type import MediaType

# Everything that is awkward in CSV or JSON comes often; NUL and surrogates are refused on the way in.
JSONISH = ("5", '"5"', "null", "true", "NaN", "1e999", "{}", "[]", '["a"]', '{"a": 1}', '{"a": 1, "a": 2}', "[", "]")
MARKS = (
    '"',
    '""',
    '\\"',
    ",",
    ";",
    "\t",
    "\r",
    "\n",
    "\r\n",
    " ",
    "",
    "=1+1",
    "\ufeff",
    "\u2028",
    "\x85",
    "\x0b",
    "é",
    "😀",
)
UGLY = st.sampled_from(JSONISH) | st.sampled_from(MARKS)
CHARACTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
TEXTS = st.text(CHARACTERS, max_size=12) | st.lists(UGLY, max_size=6).map("".join)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)
OBJECTS = st.dictionaries(TEXTS, VALUES, max_size=3)
STATEMENTS = st.lists(TEXTS.filter(str.strip), max_size=3)
SPECS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["contains", "regex"]), "text": TEXTS},
    optional={"name": TEXTS.filter(bool), "weight": st.floats(0, 9), "spec_note": VALUES},
)
NESTED = st.fixed_dictionaries(
    {"name": TEXTS.filter(bool), "spec": st.dictionaries(TEXTS | st.sampled_from(["name", "kind"]), VALUES, max_size=3)}
)

CONDITIONS = st.fixed_dictionaries(
    {"path": st.sampled_from(["$", "$.city", "$['odd key'][0]"])},
    optional={"equals": VALUES, "above": st.floats(-9, 9)},
).filter(lambda condition: len(condition) > 1)
ANSWERS = st.fixed_dictionaries({"output": VALUES}, optional={"when": st.lists(CONDITIONS, max_size=2)})
SIMULATIONS = st.dictionaries(
    TEXTS,
    st.fixed_dictionaries({"kind": st.just("static"), "answers": st.lists(ANSWERS, min_size=1, max_size=3)})
    | st.fixed_dictionaries({"kind": st.just("generated"), "description": TEXTS.filter(str.strip)}),
    max_size=2,
)


ATTACHMENTS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.text(
                st.characters(categories=("L", "N"), include_characters=" ,;\"'.=+"), min_size=1, max_size=9
            ),
            "hash": st.text("0123456789abcdef", min_size=64, max_size=64),
            "media_type": st.sampled_from(get_args(MediaType)),
            "size": st.integers(1, 1000),
        }
    ).filter(lambda file: bool(str(file["name"]).strip(". "))),
    max_size=2,
    unique_by=lambda file: str(file["name"]),
)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    given = draw(
        st.fixed_dictionaries(
            {"input": TEXTS | OBJECTS},
            optional={
                "key": TEXTS,
                "name": TEXTS,
                "expected_output": VALUES,
                "expected_behavior": TEXTS,
                "assertions": STATEMENTS,
                "tags": st.lists(TEXTS, max_size=3),
                "enabled": st.booleans(),
                "status": st.sampled_from(CaseStatus),
                "evaluators": st.lists(SPECS | NESTED, max_size=3),
                "criteria": st.dictionaries(TEXTS, OBJECTS, max_size=2),
                "simulations": SIMULATIONS,
                "attachments": ATTACHMENTS,
            },
        )
    )
    return Case.model_validate({**given, "source": {"kind": "import"}})


CASE_LISTS = st.lists(cases(), max_size=4, unique_by=lambda case: case.key)
