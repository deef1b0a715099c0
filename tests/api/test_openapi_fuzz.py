"""Whatever is sent to any operation of the API, the server does not fail, and answers as it describes itself.

The requests are the same at each run. `ALOI_FUZZ_EXAMPLES=300 pytest tests/api/test_openapi_fuzz.py` runs longer, and
`ALOI_FUZZ_DATABASE` names an empty PostgreSQL database for it. Every operation is asked. Of the checks that there are,
`positive_data_acceptance` is left out, for the description cannot say which names are taken and which ids exist, and
`ignored_auth`, for `test_access_roles.py` holds every route against every role.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.config import GenerationConfig
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CoveragePhaseData, FuzzingPhaseData
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.specs.openapi.schemas import OpenApiSchema

from tests.api.fuzz_schema import fuzzed
from tests.api.fuzz_world import World
from tests.e2e.command import Command
from tests.e2e.serving import Served

COMMITTED = json.loads((Path(__file__).parents[2] / "openapi.json").read_text(encoding="utf-8"))
FILES = "/eval/attachments"
EACH = pytest.mark.parametrize(
    ("method", "path"),
    [
        pytest.param(method, path, id=f"{method.upper()} {path}")
        for path, methods in COMMITTED["paths"].items()
        for method in methods
    ],
)
SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example)
DATABASE = os.environ.get("ALOI_FUZZ_DATABASE")
EXAMPLES = int(os.environ.get("ALOI_FUZZ_EXAMPLES", "10"))
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def described() -> OpenApiSchema:
    """The description that requests are made from."""
    return fuzzed()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A real server with real things in it; at its end it must have logged no fault."""
    command = Command(tmp_path_factory.mktemp("fuzz"))
    # Nothing of the developer's: no setting, and no key with which a request could reach a real model.
    for name in list(command.environ):
        if name.endswith("_API_KEY") or (name.startswith("ALOI_") and name != "ALOI_HOME"):
            del command.environ[name]
    if DATABASE is not None:
        command.environ["ALOI_DATABASE_URL"] = DATABASE
    served = Served(command)
    key = served.post("/api/auth/api-keys", {"name": "fuzz", "role": "owner"})["secret"]
    yield World(served.url, key)
    _, err = served.end()
    faults = [line for line in err.splitlines() if " ERROR " in line]
    assert faults == [], err[-4000:]


@EACH
def test_the_edges_of_what_is_described(described: OpenApiSchema, world: World, method: str, path: str) -> None:
    """Each value at its least and its most, of another type, left out, and what else can be wrong with it."""
    operation = described[path][method]
    for case in described.iter_coverage_cases(
        operation, generation_modes=MODES, generation_config=GenerationConfig(deterministic=True)
    ):
        check(case, world)


@EACH
def test_what_is_made_at_random(described: OpenApiSchema, world: World, method: str, path: str) -> None:
    """What fits the description, and what nearly does."""
    operation: APIOperation[Any, Any, Any, Any] = described[path][method]

    @given(case=st.one_of([operation.as_strategy(generation_mode=mode) for mode in MODES]))
    @settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=SLOW)
    def each(case: Case[Any]) -> None:
        check(case, world)

    each()


def check(case: Case[Any], world: World) -> None:
    """Send it, and hold the answer against the description."""
    world.place(case)
    response = case.call(base_url=world.url, session=world.ask, timeout=20)
    world.mend(case.method, case.path, response.status_code)
    # A stale tag is told before what is wrong with the body.
    refused = [negative_data_rejection] if is_body_wrong(case) and response.status_code != 412 else []
    case.validate_response(response, checks=[*CHECKS, *refused])


def is_body_wrong(case: Case[Any]) -> bool:
    """Whether the description forbids the body, so that it must be refused.

    Not so where a value has another type: some are read as what they mean, such as `0` as false. Nor of files: what is
    meant to be none, `null` say, is sent as the text that it is. Parameters are left out altogether: of one that is
    given twice the last counts, unknown ones are ignored, and a time may be a number.
    """
    meta = case.meta
    if meta is None or not isinstance(meta.phase.data, (CoveragePhaseData, FuzzingPhaseData)):
        return False
    data = meta.phase.data
    in_body = meta.generation.mode.is_negative and data.parameter_location is ParameterLocation.BODY
    return in_body and not case.path.endswith(FILES) and "Incorrect type" not in (data.description or "")
