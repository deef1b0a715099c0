"""The API's description as the fuzz reads it, which says more than the committed one of what reaches deep."""

import json
from collections.abc import Sequence
from typing import Any

import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.schemas import OpenApiSchema

from aloi.api.openapi import document
from aloi.plugins import kinds, load
from aloi.service.kinds import FAMILIES

# Fields that hold any kind's own fields. They are described as objects, and hardly any object is of a kind, so each is
# given the schemas of some kinds; null means all.
OPEN_FIELDS: dict[tuple[str, str], tuple[str, Sequence[str] | None]] = {
    ("NewTarget", "definition"): ("targets", None),
    ("TargetGiven", "definition"): ("targets", ("replay", "http")),
    ("NewVersion", "definition"): ("targets", ("replay",)),
    ("NewEvaluator", "spec"): ("evaluators", None),
    ("EvaluatorChanges", "spec"): ("evaluators", ("contains", "llm_judge")),
    ("GradeRequest", "evaluator"): ("evaluators", None),
    ("WrittenEvaluator", "spec"): ("evaluators", ("contains",)),
    ("Binding-Input", "spec"): ("evaluators", ("contains",)),
}
# Values that reach deep, beside those that are made at random.
HINTS: dict[tuple[str, str], Sequence[str]] = {
    ("MemberWish", "email"): ("a@example.org", "b@example.org"),
}
# Where the description is wider than what makes sense, and narrower here.
NARROWER: dict[tuple[str, str], dict[str, Any]] = {
    ("RunStart", "target_id"): {"type": "string"},
    ("SuiteStart", "cases"): {"type": "array", "items": {"$ref": "#/components/schemas/Case-Input"}, "minItems": 1},
    # What OpenAPI 3.0 calls a file, which the fuzz knows how to send.
    ("Body_import_cases", "file"): {"type": "string", "format": "binary"},
    ("Body_add_attachment", "file"): {"type": "string", "format": "binary"},
}
# A target is named once; a request with each name at once is refused at the door.
OTHER_NAMES = ("agent_id", "target_version_id")


def fuzzed() -> OpenApiSchema:
    """What the requests are made from, and the answers held against."""
    schemathesis.serializer.alias("application/x-protobuf", "application/octet-stream")
    whole = json.loads(document())
    parts = whole["components"]["schemas"]
    for (part, field), (family, wanted) in OPEN_FIELDS.items():
        names = [_add(parts, family, kind) for kind in wanted or kinds(family)]
        parts[part]["properties"][field] = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}
    for (part, field), values in HINTS.items():
        fields = parts[part]["properties"]
        fields[field] = {"anyOf": [{"enum": list(values)}, fields[field]]}
    for (part, field), schema in NARROWER.items():
        parts[part]["properties"][field] = schema
    for name in OTHER_NAMES:
        del parts["RunStart"]["properties"][name]
    parts["RunStart"]["required"].append("target_id")
    config = SchemathesisConfig()
    coverage = config.projects.default.phases.coverage
    coverage.unexpected_methods = {"patch", "delete"}
    return schemathesis.openapi.from_dict(whole, config=config)


def _add(parts: dict[str, Any], family: str, kind: str) -> str:
    """Put the schema of a kind among the components, under the name that is returned."""
    name = f"{family}_{kind}"
    schema = load(family, kind, FAMILIES[family]).describe()["schema"]
    own = json.loads(json.dumps(schema).replace("#/$defs/", f"#/components/schemas/{name}_"))
    parts.update({f"{name}_{part}": value for part, value in own.pop("$defs", {}).items()})
    properties = {"kind": {"const": kind}, **own.get("properties", {})}
    parts[name] = {**own, "properties": properties, "required": ["kind", *own.get("required", ())]}
    return name
