"""What the fuzz of the API works on: one thing of each sort, made anew when it was deleted."""

import time
from collections.abc import Callable
from typing import Any

import requests
from schemathesis import Case
from schemathesis.transport.serialization import Binary

ANSWERS = {"k0": "case 0", "k1": {"output": "no", "tool_calls": [{"tool": "look", "args": {"a": 1}, "output": 2}]}}
CASES = [{"key": "k0", "prompt": "case 0", "tags": ["first"]}, {"key": "k1", "input": {"question": "case 1"}}]
# Other words for ids.
MEANT = {"a": "run_id", "b": "run_id", "agent_id": "target_id", "dataset": "dataset_id"}
STRANGE = 4  # a generated id of a length that this divides stays
FILES = [b"prompt\nt\xc3\xa9\n", b'[{"prompt": "a"}]', b'{"prompt": "a"}\n', b"key,prompt\na,b\na,c\n"]
RULE = {"kind": "contains", "text": "case"}


class World:
    """Real things by the names that the API's parameters have: `dataset_id`, `case_id`, `run_id`, ...

    `ask` sends requests as an owner who holds a key, so that no request signs the asker out.
    """

    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self.ask = requests.Session()
        self.ask.headers["Authorization"] = f"Bearer {key}"
        self._made: dict[str, str] = {}
        self._number = 0
        self._makers: dict[str, Callable[[], str]] = {
            "dataset_id": self._dataset,
            "case_id": self._case,
            "target_id": self._target,
            "target_version_id": self._version,
            "evaluator_id": self._evaluator,
            "schedule_id": self._schedule,
            "run_id": self._run,
            "execution_id": self._execution,
            "key_id": lambda: self._id("/api/auth/api-keys", {"name": "a key", "role": "viewer"}),
            "member_id": lambda: self._id("/api/members", {"email": self._name() + "@example.org", "role": "viewer"}),
        }
        self.names = frozenset(self._makers)

    def __getitem__(self, name: str) -> str:
        """The id of the thing of a name."""
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def forget(self, name: str) -> None:
        """Something was deleted: make another when it is wanted. With a dataset its cases are gone."""
        self._made.pop(name, None)
        if name == "dataset_id":
            self.forget("case_id")

    def place(self, case: Case[Any]) -> None:
        """Put the ids of real things where ids belong; some are left as they were generated."""
        own = {"case_id": "k0"} if "/runs/" in case.path else {}
        case.path_parameters = self._placed(case.path_parameters, own)
        case.query = self._placed(case.query, own)
        case.body = self._placed(case.body, own)
        self._place_file(case.body)
        tag = case.headers.get("if-match")
        if tag is not None and _is_real(tag):
            del case.headers["if-match"]

    def _place_file(self, body: Any) -> None:
        file = body.get("file") if isinstance(body, dict) else None
        if isinstance(file, Binary) and len(file.data) % STRANGE:
            body["file"] = Binary(FILES[len(file.data) % len(FILES)])

    def _placed(self, given: Any, own: dict[str, str], key: str = "") -> Any:
        if isinstance(given, dict):
            return {name: self._placed(value, own, name) for name, value in given.items()}
        if isinstance(given, list):
            return [self._placed(item, own, key.removesuffix("s")) for item in given]
        name = MEANT.get(key, key)
        if name in self.names and isinstance(given, str) and _is_real(given):
            return own.get(name) or self[name]
        return given

    def mend(self, method: str, path: str, status: int) -> None:
        """Take note of what a request deleted, or may have."""
        if method == "DELETE" and status in (204, 409):  # what is in use is left alone from now on
            self.forget(path.rpartition("{")[2].rstrip("}"))
        if method == "POST" and status == 200 and path.endswith(("/cases/bulk", "/import")):
            self.forget("case_id")

    def get(self, path: str) -> dict[str, Any]:
        """What the server answers to one who reads."""
        return self.ask.get(self.url + path, timeout=30).json()

    def post(self, path: str, body: Any) -> dict[str, Any]:
        """What the server answers to one who makes something."""
        answer = self.ask.post(self.url + path, json=body, timeout=30)
        assert answer.ok, (path, answer.text)
        return answer.json()

    def _name(self) -> str:
        self._number += 1
        return f"thing-{self._number}"

    def _id(self, path: str, body: Any) -> str:
        made = self.post(path, body)
        # A key and a member are answered together with what is told once.
        return (made if "id" in made else made.get("member") or made["key"])["id"]

    def _dataset(self) -> str:
        dataset = self._id("/api/eval/datasets", {"name": self._name()})
        for case in CASES:
            self.post(f"/api/eval/datasets/{dataset}/cases", case)
        self.ask.put(f"{self.url}/api/eval/datasets/{dataset}/evaluators", json=[RULE], timeout=30).raise_for_status()
        return dataset

    def _case(self) -> str:
        return self._id(f"/api/eval/datasets/{self['dataset_id']}/cases", {"prompt": self._name()})

    def _target(self) -> str:
        return self._id("/api/targets", {"name": self._name(), "definition": {"kind": "replay", "outputs": ANSWERS}})

    def _version(self) -> str:
        return self.get(f"/api/targets/{self._target()}")["active_version"]["id"]

    def _evaluator(self) -> str:
        return self._id("/api/eval/evaluators", {"name": self._name(), "spec": RULE})

    def _schedule(self) -> str:
        timing = {"start": "2030-01-01T00:00:00Z", "recurrence": {"kind": "every", "n": 1, "unit": "days"}}
        of = {"target_id": self._target(), "dataset_id": self._dataset()}
        return self._id("/api/eval/schedules", {"name": self._name(), **of, **timing})

    def _run(self) -> str:
        body = {"target_id": self._target(), "dataset_id": self._dataset()}
        run = self._id("/api/eval/runs", body)
        while self.get(f"/api/eval/runs/{run}/state")["status"] in ("pending", "running"):
            time.sleep(0.02)
        return run

    def _execution(self) -> str:
        return self._id(f"/api/targets/{self._target()}/invoke", {"input": "case 0"})


def _is_real(generated: str) -> bool:
    """Whether a real value takes the place of a generated one. The same at each run."""
    return not generated or len(generated) % STRANGE != 0
