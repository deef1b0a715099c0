"""From the name of a model to its behaviour."""

from collections.abc import Awaitable, Mapping

from tests.model_server.behaviours import BEHAVIOURS, Behaviour, Call
from tests.model_server.chat import ChatRequestBody
from tests.model_server.misbehaviours import MISBEHAVIOURS
from tests.model_server.reply import Reply, error
from tests.model_server.stats import Arrival

SCRIPT: Mapping[str, Behaviour] = {**BEHAVIOURS, **MISBEHAVIOURS}


def scripted(request: ChatRequestBody, arrival: Arrival) -> Reply | Awaitable[Reply]:
    """Return what the model named in the request says.

    An unknown name gives 404; an argument that the behaviour cannot read gives 400.
    """
    name, _, argument = request.model.partition(":")
    behaviour = SCRIPT.get(name)
    if behaviour is None:
        known = ", ".join(sorted(SCRIPT))
        return error(404, f"The model {request.model!r} does not exist. Use one of: {known}.", "model_not_found")
    try:
        return behaviour(Call(argument, request, arrival))
    except ValueError as fault:
        return error(400, f"The argument of the model {request.model!r} cannot be read: {fault}.")
