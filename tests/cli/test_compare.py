from tests.cli.conftest import HERE_AND_THERE, Aloi, WriteSuite

pytestmark = HERE_AND_THERE


def test_two_runs_are_compared(aloi: Aloi, suite: WriteSuite) -> None:
    path = suite(a="Paris", b="Lyon")
    first = aloi("run", path, "--json", "-").err.split("run ")[1].split()[0]
    aloi("run", path, "--model", "openai:fixed:Paris")
    ended = aloi("compare", first, "latest")
    assert ended.code == 0, ended.err
    assert "openai:fixed:Paris" in ended.out
    assert "B − A: +50 points" in ended.out
    assert "1 better, 0 worse of 2" in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


def test_an_unknown_run(aloi: Aloi) -> None:
    ended = aloi("compare", "nope", "latest")
    assert ended.code == 2
    assert "Error: " in ended.err
