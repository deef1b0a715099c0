"""`python -m aloi.cli.small_model_server WEIGHTS NAME`: serves a model by the OpenAI protocol on the loopback.

Writes its address in one line, and leaves when its standard input ends.
"""

import os
import sys

from aloi.plugins import module

ENGINE = "xllamacpp"
# Four requests at once, each with room for a judge's prompt, its reply and a second try.
SLOTS = 4
TOKENS_PER_SLOT = 2048


def serve(weights: str, name: str) -> None:
    """Serve the model until the standard input ends; does not return.

    Args:
        weights: path of a GGUF file.
        name: what the model is called in replies.
    """
    engine = module(ENGINE)
    parameters = engine.CommonParams()
    parameters.model.path = weights
    parameters.model_alias = {name}
    parameters.n_parallel = SLOTS
    parameters.n_ctx = SLOTS * TOKENS_PER_SLOT
    parameters.cache_ram_mib = 0
    parameters.verbosity = 0
    parameters.warmup = False
    parameters.ui = False
    parameters.offline = True
    server = engine.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    # A return would wait for answers that are still being written, for ever if nobody reads them.
    os._exit(0)


if __name__ == "__main__":
    serve(*sys.argv[1:])
