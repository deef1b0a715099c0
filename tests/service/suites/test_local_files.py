"""Files that the cases of a suite name by their paths."""

import hashlib
from pathlib import Path

import pytest

from aloi.core.errors import InvalidInput
from aloi.service.suites.suite import load_suite, parse_suite
from tests.attachment_files import PDF, PNG, SVG

SUITE = """
target: support
cases:
- {key: a, prompt: What is it?, attachments: [./bill.pdf, pictures/dot.png]}
- {key: b, prompt: And this?, attachments: [bill.pdf]}
- {key: c, prompt: Nothing}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "bill.pdf").write_bytes(PDF)
    (tmp_path / "pictures" / "dot.png").write_bytes(PNG)
    return tmp_path


def load(folder: Path, text: str = SUITE):
    (folder / "suite.yaml").write_text(text)
    return load_suite(folder / "suite.yaml")


def test_paths_become_references(folder: Path) -> None:
    suite = load(folder)
    first, second, third = suite.cases
    assert [(file.name, file.media_type, file.size) for file in first.attachments] == [
        ("bill.pdf", "application/pdf", len(PDF)),
        ("dot.png", "image/png", len(PNG)),
    ]
    assert second.attachments == first.attachments[:1]
    assert third.attachments == ()
    assert suite.local_files == {
        hashlib.sha256(PDF).hexdigest(): folder / "bill.pdf",
        hashlib.sha256(PNG).hexdigest(): folder / "pictures" / "dot.png",
    }


def test_references_stay(folder: Path) -> None:
    file = f"{{name: a.pdf, hash: '{'a' * 64}', media_type: application/pdf, size: 3}}"
    text = f"target: t\ncases:\n- prompt: x\n  attachments: [{file}]\n"
    suite = load(folder, text)
    assert suite.cases[0].attachments[0].hash == "a" * 64
    assert suite.local_files == {}


def test_every_fault_is_told_with_its_line(folder: Path) -> None:
    (folder / "fake.png").write_bytes(SVG)
    text = "target: t\ncases:\n- prompt: x\n  attachments:\n  - gone.pdf\n  - fake.png\n  - page.html\n  - pictures\n"
    with pytest.raises(InvalidInput) as caught:
        load(folder, text)
    told = str(caught.value).splitlines()
    assert [line.partition(": the file")[0] for line in told] == [
        "suite.yaml:5: cases[0].attachments[0]",
        "suite.yaml:6: cases[0].attachments[1]",
        "suite.yaml:7: cases[0].attachments[2]",
        "suite.yaml:8: cases[0].attachments[3]",
    ]
    assert "No such file" in told[0]
    assert "is named like a PNG image, and its content is text" in told[1]
    assert "Is a directory" in told[3]


def test_without_a_folder_no_file_is_read() -> None:
    suite = parse_suite(SUITE, "suite.yaml")
    assert [case.attachments for case in suite.cases] == [(), (), ()]
    assert suite.local_files == {}
