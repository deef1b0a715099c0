"""Models behind the Chat Completions protocol: OpenAI and every endpoint that speaks it."""

from collections.abc import Mapping

from yarl import URL

from aloi.core.chat import ChatReply, ChatRequest, ModelSpec
from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.keys import NamedKey
from aloi.core.usage import call_usage
from aloi.llm.chat_wire import Completion, Mode, check_settings, decoded, encoded, error_text, refuses_format
from aloi.llm.pool import Answer, Pool
from aloi.llm.prices import Prices
from aloi.llm.retry import AttemptFailed, Retrier, cause_of, retry_after
from aloi.llm.secrets import read_secret

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
MOST_BYTES = 64 * 1024 * 1024


def endpoint_of(spec: ModelSpec) -> str:
    """The base address of a model's endpoint, without a slash at its end. Models with the same share pace and pool.

    Raises:
        InvalidInput: the base URL is not an address.
    """
    text = (OPENAI_URL if spec.base_url is None else spec.base_url).rstrip("/")
    try:
        url = URL(text)
        valid = url.scheme in ("http", "https") and bool(url.host)
    except ValueError:
        valid = False
    if not valid:
        raise InvalidInput(
            f"the base_url {text!r} of {spec.model} is not an address; write it like http://127.0.0.1:8080/v1"
        )
    return text


def key_name(spec: ModelSpec) -> str | None:
    """The environment variable with the key: the one named, or OpenAI's at its own address, else none."""
    at_openai = spec.provider == "openai" and spec.base_url is None
    return spec.api_key_env or (OPENAI_KEY if at_openai else None)


def named_key(spec: ModelSpec) -> NamedKey | None:
    """The variable whose value is sent to the model's endpoint; null when none is. A provider has one of its own."""
    name = key_name(spec)
    if name is not None:
        return NamedKey(variable=name, address=spec.base_url)
    return NamedKey(variable=_usual_name(spec)) if spec.base_url is None else None


def find_key(spec: ModelSpec, environ: Mapping[str, str]) -> str | None:
    """The key of a model; null when it needs none.

    Raises:
        StageFailure: the variable is not set or empty (type `no_key`), or no header can carry the key (`bad_key`).
    """
    name = key_name(spec)
    if name is None:
        if spec.base_url is None:  # the provider's own client takes it from here
            read_secret(environ, _usual_name(spec))
        return None
    key = read_secret(environ, name)
    if not key:
        message = f"{spec.model} needs a key: set the environment variable {name}, or name another with api_key_env"
        raise StageFailure("invoke", "no_key", message)
    return key


def known_keys(spec: ModelSpec, environ: Mapping[str, str]) -> dict[str, str]:
    """The keys that an answer of the model might repeat, by the names of their variables; for `masked`."""
    name = key_name(spec) or _usual_name(spec)
    return {name: environ.get(name, "").strip()}


def _usual_name(spec: ModelSpec) -> str:
    return f"{spec.provider.upper().replace('-', '_')}_API_KEY"


class OpenAIChat:
    """One model at one endpoint, as a `ChatModel`.

    Settings of the spec go into the body as they are and win over those of a request; a null takes one out (such as
    `temperature: null` for a model that refuses it).

    Args:
        pool: sends.
        retrier: of this endpoint.
        no_format: pairs of endpoint and model that refused structured output; shared, and added to.
    """

    def __init__(
        self,
        spec: ModelSpec,
        *,
        pool: Pool,
        retrier: Retrier,
        prices: Prices,
        environ: Mapping[str, str],
        no_format: set[tuple[str, str]],
    ) -> None:
        check_settings(spec.model, spec.settings)
        self._spec = spec
        self._name = spec.name
        self._endpoint = endpoint_of(spec)
        self._url = URL(f"{self._endpoint}/chat/completions")
        self._pool = pool
        self._retrier = retrier
        self._prices = prices
        self._environ = environ
        self._no_format = no_format

    @property
    def name(self) -> str:
        """`provider:model`, as in the spec."""
        return self._spec.model

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Ask once; see `ChatModel`. An answer without choices or content is a reply whose text is null.

        Raises:
            StageFailure: `rate_limited`, `http_status`, `timeout`, `connection`, `too_large`, `bad_reply`,
                `bad_request`, `no_key` or `bad_key`.
        """
        mode = self._mode(request)
        answer = await self._ask(request, mode)
        if mode == "native" and refuses_format(answer.status, answer.body):
            self._no_format.add((self._endpoint, self._name))
            mode = "tool"
            answer = await self._ask(request, mode)
        if answer.status >= 300:
            raise self._refused(answer)
        return self._reply(decoded(answer.body, mode, self.name, known_keys(self._spec, self._environ)))

    def _mode(self, request: ChatRequest) -> Mode:
        if request.output_schema is None:
            return "text"
        return "tool" if (self._endpoint, self._name) in self._no_format else "native"

    async def _ask(self, request: ChatRequest, mode: Mode) -> Answer:
        body = encoded(self._name, request, self._spec.settings, mode)
        headers = self._headers()

        async def attempt() -> Answer:
            answer = await self._pool.send("POST", self._url, headers, body, MOST_BYTES)
            cause = cause_of(answer.status)
            if cause == "final" or (cause == "throttled" and b"insufficient_quota" in answer.body):
                return answer
            raise AttemptFailed(self._refused(answer), cause, retry_after(answer.headers))

        return await self._retrier.call(attempt)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        key = find_key(self._spec, self._environ)
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        return headers

    def _refused(self, answer: Answer) -> StageFailure:
        kind = "rate_limited" if cause_of(answer.status) == "throttled" else "http_status"
        words = error_text(answer.body, secrets=known_keys(self._spec, self._environ))
        mend = ""
        if answer.status in (401, 403):
            name = key_name(self._spec)
            mend = "; name a key with api_key_env" if name is None else f"; check the key in {name}"
        elif answer.status == 404:
            mend = f"; check the model's name and the base_url ({self._endpoint})"
        return StageFailure("invoke", kind, f"{self.name} answered with status {answer.status}: {words}{mend}")

    def _reply(self, completion: Completion) -> ChatReply:
        tokens = completion.input_tokens, completion.output_tokens
        cost = self._prices.cost(self._spec.provider, self._name, *tokens, self._spec.base_url)
        return ChatReply(
            text=completion.text,
            refusal=completion.refusal,
            model=completion.model or self._name,
            finish_reason=completion.finish_reason,
            usage=call_usage(*tokens, cost),
        )
