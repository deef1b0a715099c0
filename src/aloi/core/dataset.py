"""Named sets of cases, and the snapshot of one that a run works on."""

from collections.abc import Iterable, Iterator, Sequence

from pydantic import AwareDatetime, Field, field_validator

from aloi.core.binding import Binding, unique_names
from aloi.core.case import Case, made_key
from aloi.core.errors import InvalidInput
from aloi.core.identity import content_hash
from aloi.core.simulation import Simulations, simulations_content
from aloi.core.spec import Value

NAME_LENGTH = 200
MAX_SAMPLES = 5


class Dataset(Value):
    """A named set of cases with the evaluators bound to it and the number of judge samples (from the next run on).

    `simulations`: what stands in for tools and steps of the target, by their names; a case may have its own.
    `target_id`: the target that it is made for; null when it is for any.
    """

    id: str
    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    description: str = ""
    target_id: str | None = None
    judge_samples: int = Field(default=1, ge=1, le=MAX_SAMPLES)
    bindings: tuple[Binding, ...] = ()
    simulations: Simulations = {}
    created_at: AwareDatetime
    updated_at: AwareDatetime

    @field_validator("bindings")
    @classmethod
    def _named_once(cls, bindings: tuple[Binding, ...]) -> tuple[Binding, ...]:
        return unique_names(bindings)

    def edited(self) -> "Dataset":
        """What an ETag of it covers: not the time of its last change, which changes of its cases move too."""
        return self.model_copy(update={"updated_at": self.created_at})


class DatasetRevision(Value):
    """An immutable snapshot of a dataset's enabled, ready cases, its bindings and its simulations, found by its content
    hash.

    The cases themselves are read apart, in order.
    """

    id: str
    dataset_id: str
    content_hash: str
    bindings: tuple[Binding, ...] = ()
    simulations: Simulations = {}
    case_count: int
    created_at: AwareDatetime


def case_hash(case: Case) -> str:
    """What of a case decides how it is run and graded, as a hash."""
    return content_hash(case.content())


def revision_hash(
    case_hashes: Iterable[str], bindings: Sequence[Binding], simulations: Simulations | None = None
) -> str:
    """The content hash of a revision: its cases in order, the bindings with their weights, and the simulations."""
    simulated = [simulations_content(simulations)] if simulations else []
    return content_hash([list(case_hashes), [binding.content() for binding in bindings], *simulated])


def keyed_once(cases: Iterable[Case]) -> Iterator[Case]:
    """The cases as they come, each key once. Keys that were made from the input are numbered when they repeat.

    Raises:
        InvalidInput: a given key occurs twice.
    """
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for position, case in enumerate(cases, start=1):
        key = case.key
        if key in taken and key != made_key(case.input):
            raise InvalidInput(
                f"case {position}: the key {key!r} is used twice; keys are unique in a dataset, so give it another"
            )
        while key in taken:
            numbers[case.key] = numbers.get(case.key, 1) + 1
            key = f"{case.key}-{numbers[case.key]}"
        taken.add(key)
        yield case if key == case.key else case.model_copy(update={"key": key})
