"""The build hook of the web UI: when it builds, and what it needs for that."""

from pathlib import Path

import pytest

import build_ui
from build_ui import NODE_PACKAGE, SKIP, STAMP, STATIC, UiBuildHook, is_fresh, run_npm, stamp, system_npm


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a UI that was never built."""
    monkeypatch.delenv(SKIP, raising=False)
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "package.json").write_text("{}")
    (tmp_path / "web" / "src" / "main.tsx").write_text("main")
    return tmp_path


@pytest.fixture
def no_node(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Node.js."""
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))


def mark_as_built(project: Path) -> None:
    (project / STATIC).mkdir(parents=True, exist_ok=True)
    (project / STATIC / STAMP).write_text(stamp(project))


def hook(project: Path) -> UiBuildHook:
    return UiBuildHook(str(project), {}, None, None, "", "wheel")  # pyright: ignore[reportArgumentType] - unused here


def fake_node(folder: Path, version: str) -> None:
    for name in ("node", "npm"):
        (folder / name).write_text(f"#!/bin/sh\necho {version}\n")
        (folder / name).chmod(0o755)


def test_the_stamp_follows_names_and_contents(project: Path) -> None:
    first = stamp(project)
    (project / "web" / "src" / "main.tsx").write_text("other")
    second = stamp(project)
    (project / "web" / "src" / "main.tsx").rename(project / "web" / "src" / "start.tsx")
    assert len({first, second, stamp(project)}) == 3


def test_the_stamp_ignores_dates_and_what_is_not_built(project: Path) -> None:
    first = stamp(project)
    (project / "web" / "src" / "main.tsx").write_text("main")
    (project / "web" / "src" / "schema.d.ts").write_text("types")
    (project / "web" / "node_modules").mkdir()
    (project / "web" / "node_modules" / "x.js").write_text("x")
    (project / "web" / "tests").mkdir()
    (project / "web" / "tests" / "x.test.ts").write_text("x")
    assert stamp(project) == first


def test_a_built_ui_is_fresh_until_a_source_changes(project: Path) -> None:
    assert not is_fresh(project)
    mark_as_built(project)
    assert is_fresh(project)
    (project / "web" / "src" / "new.tsx").write_text("new")
    assert not is_fresh(project)


@pytest.mark.usefixtures("no_node")
def test_node_is_asked_for_only_where_it_is_needed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hook(project).dependencies() == [NODE_PACKAGE]
    monkeypatch.setenv(SKIP, "1")
    assert hook(project).dependencies() == []
    monkeypatch.setenv(SKIP, "0")
    mark_as_built(project)
    assert hook(project).dependencies() == []


@pytest.mark.parametrize(
    ("version", "enough"), [("v20.19.0", True), ("v24.1.0", True), ("v20.18.9", False), ("?", False)]
)
def test_the_machines_own_node_has_to_be_new_enough(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, version: str, enough: bool
) -> None:
    folder = tmp_path_factory.mktemp("bin")
    fake_node(folder, version)
    monkeypatch.setenv("PATH", f"{folder}:/bin")
    assert (system_npm() is not None) == enough
    assert hook(project).dependencies() == ([] if enough else [NODE_PACKAGE])


def test_nothing_is_built_when_skipped_or_fresh(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []
    monkeypatch.setattr(build_ui, "build", built.append)
    monkeypatch.setenv(SKIP, "1")
    hook(project).initialize("standard", {})
    monkeypatch.delenv(SKIP)
    mark_as_built(project)
    hook(project).initialize("editable", {})
    assert built == []
    (project / STATIC / STAMP).unlink()
    hook(project).initialize("editable", {})
    assert built == [project]


@pytest.mark.usefixtures("no_node")
def test_without_node_the_error_says_how_to_mend_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_ui, "installed_npm", lambda: None)
    with pytest.raises(RuntimeError, match=rf"Node\.js 20\.19 or newer.*{SKIP}=1"):
        run_npm(project, "ci")


def test_a_failed_step_is_an_error_and_leaves_no_stamp(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("bin")
    fake_node(folder, "v22.0.0")
    (folder / "npm").write_text("#!/bin/sh\nexit 3\n")
    monkeypatch.setenv("PATH", f"{folder}:/bin")
    with pytest.raises(RuntimeError, match=r"npm ci .* exit code 3"):
        build_ui.build(project)
    assert not is_fresh(project)
