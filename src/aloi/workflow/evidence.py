"""What a trace holds of the values that go through the steps: whole where they are small, else how they begin.

A document of megabytes goes through many steps, and stands in the spans of each as input and output. The outputs
themselves are not cut: this is the evidence alone.
"""

from pydantic import JsonValue

from aloi.core.flow.weight import weight
from aloi.core.json_values import text_of

LARGEST = 200_000  # characters of one value
BEGINNING = 2_000  # what is held of a larger one
WHOLE = 20_000_000  # characters of all values of one invocation that are held whole


class Evidence:
    """Cuts the values of one invocation to what a trace can hold."""

    def __init__(self) -> None:
        self._left = WHOLE

    def shown(self, value: JsonValue) -> JsonValue:
        """The value, or the beginning of its text with a note of the cut, where it is too large for a trace."""
        limit = max(BEGINNING, min(LARGEST, self._left))
        size = weight(value, limit)
        if size <= limit:
            self._left -= size
            return value
        text = text_of(value)
        return f"{text[:BEGINNING]}… [cut: {len(text) - BEGINNING:,} characters more]"
