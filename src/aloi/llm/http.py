"""The door for plain HTTP: `http` targets go through it."""

from collections.abc import Callable

from yarl import URL

from aloi.core.errors import StageFailure
from aloi.core.target import HttpReply, HttpRequest
from aloi.llm.pool import Answer, Pool, place
from aloi.llm.retry import ANY, HARMLESS, AttemptFailed, Retrier, cause_of, retry_after

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class PooledHttp:
    """The `HttpDoor`: one pool and one pace for each host, again when the host says "come back".

    Redirects are not followed: the answer 3xx comes back as it is. A request that may change something (any method but
    GET, HEAD and OPTIONS) is sent again only after 429, 503 or when no connection was made: else it could do its work
    twice.

    Args:
        pool: sends.
        retrier: gives the retrier of an endpoint.
    """

    def __init__(self, pool: Pool, retrier: Callable[[str], Retrier]) -> None:
        self._pool = pool
        self._retrier = retrier

    async def send(self, request: HttpRequest) -> HttpReply:
        """The answer, of whatever status, except that the last 429 is a failure.

        Raises:
            StageFailure: `rate_limited`, `connection`, `timeout`, `too_large`, `bad_reply` or `bad_request`.
        """
        url = _url(request.url)
        again = ANY if request.method.upper() in SAFE_METHODS else HARMLESS
        last: list[Answer] = []  # the answer that is given back when no more attempts are made

        async def attempt() -> Answer:
            answer = await self._pool.send(request.method, url, request.headers, request.body, request.max_bytes)
            cause = cause_of(answer.status)
            if cause == "final":
                return answer
            last[:] = [answer]
            raise AttemptFailed(_refused(url, answer.status), cause, retry_after(answer.headers))

        try:
            answer = await self._retrier(str(url.origin())).call(attempt, again)
        except StageFailure as failure:
            if failure.type != "http_status":
                raise
            answer = last[0]
        return HttpReply(status=answer.status, headers=dict(answer.headers), body=answer.body)


def _url(text: str) -> URL:
    try:
        url = URL(text)
        if url.scheme in ("http", "https") and url.host:
            return url
    except ValueError:
        pass
    message = "the url is not an address; write it like https://example.org/path"
    raise StageFailure("invoke", "bad_request", message) from None


def _refused(url: URL, status: int) -> StageFailure:
    if cause_of(status) == "throttled":
        return StageFailure("invoke", "rate_limited", f"{place(url)} answered {status}: too many requests")
    return StageFailure("invoke", "http_status", f"{place(url)} answered with status {status}")
