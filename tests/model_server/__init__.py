"""A model server on the loopback that speaks the OpenAI Chat Completions protocol, counts, and can misbehave.

The name of the model chooses the behaviour (see `behaviours.py` and `misbehaviours.py`), so a server in another
process needs no code. In the test's own process, set `ModelServer.reply` to a function instead.
"""

from tests.model_server.chat import ChatRequestBody
from tests.model_server.process import ModelServerProcess, serve
from tests.model_server.reply import Answer, Reply, ToolCall, Wire
from tests.model_server.server import ModelServer, RecordedRequest
from tests.model_server.stats import Stats

__all__ = [
    "Answer",
    "ChatRequestBody",
    "ModelServer",
    "ModelServerProcess",
    "RecordedRequest",
    "Reply",
    "Stats",
    "ToolCall",
    "Wire",
    "serve",
]
