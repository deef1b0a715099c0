"""Reads the source tree: what the architecture rules are checked on."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "aloi"
# What would be a global if a module made one.
SHARED = {"Settings", "read_settings", "connect", "LocalClient", "Context", "Database", "Models", "ClientSession"}


def python_files(*folders: Path) -> list[Path]:
    """Every Python file below the folders, but for migrations, which are generated history."""
    return sorted(
        file for folder in folders for file in folder.rglob("*.py") if not _left_out(file.relative_to(folder))
    )


def _left_out(file: Path) -> bool:
    return any(part == "versions" or part.startswith(".") for part in file.parts)


def tree(file: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def module_name(file: Path) -> str:
    """`aloi.core.case` for its file."""
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions and methods, nested ones too."""
    return (node for node in ast.walk(module) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def imports_inside_functions(module: ast.Module) -> list[int]:
    """The lines of imports that stand in a function."""
    return [
        node.lineno
        for function in functions(module)
        for node in ast.walk(function)
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]


def long_functions(module: ast.Module, limit: int) -> list[str]:
    """Names of functions with more lines than the limit."""
    return [node.name for node in functions(module) if (node.end_lineno or node.lineno) - node.lineno + 1 > limit]


def twins(module: ast.Module) -> list[str]:
    """Names that exist once plain and once as the async twin: `run` with `arun` or `run_async`."""
    names = {node.name for node in functions(module)}
    return sorted(name for name in names if f"a{name}" in names or f"{name}_async" in names)


def module_singletons(module: ast.Module) -> list[str]:
    """Module-level names bound to a fresh settings, client, service or connection object."""
    made: list[str] = []
    for node in module.body:
        value = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in SHARED:
            made.append(value.func.id)
    return made


def imported(module: ast.Module) -> set[str]:
    """Every module that is imported anywhere in a file, by its full name."""
    names: set[str] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def imports_of(module: ast.Module, *packages: str) -> set[str]:
    """Those of the file's imports that lie in one of the packages."""
    return {name for name in imported(module) for package in packages if (name + ".").startswith(package + ".")}


def reads_environment(module: ast.Module) -> bool:
    """Whether a file looks at the process's environment or settings, rather than being given them."""
    attributes = {
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(module)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    called = {
        node.func.id for node in ast.walk(module) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return bool(attributes & {"os.environ", "os.getenv"} or called & {"read_settings", "getenv"})
