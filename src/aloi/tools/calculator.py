"""`calculator`: arithmetic on one expression, without running any code."""

import ast
import math
import operator
from collections.abc import Callable, Sequence
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from aloi.core.errors import ToolFailure
from aloi.core.spec import JsonObject
from aloi.core.tool import Tool, ToolContext

Number = int | float

MAX_BITS = 4096  # about 1,233 digits: far above honest use, and cheap to compute and print
MAX_ROUNDING = 308  # decimal places of a float; round(1, -10**9) would build a number of a billion digits
SIGNS = str.maketrans({"×": "*", "÷": "/", "−": "-"})
CONSTANTS = {"pi": math.pi, "e": math.e}


class CalculatorInput(BaseModel):
    """Arguments of `calculator`."""

    model_config = ConfigDict(extra="forbid")

    expression: str = Field(
        description="Arithmetic such as `17 * 23` or `sqrt(2) / 3`. Numbers without thousands separators; "
        "+ - * / // % ** and parentheses; sqrt, abs, round, min, max, log, exp, sin, cos; pi, e. Angles in radians.",
        max_length=500,
    )


class Calculator(Tool):
    """Work out an arithmetic expression and return the number."""

    kind: ClassVar[str] = "calculator"
    Input = CalculatorInput
    Output: ClassVar[JsonObject | None] = {"type": "number"}

    async def call(self, arguments: CalculatorInput, ctx: ToolContext) -> JsonValue:
        """The expression's value: an int stays an int, everything else is a finite float.

        Raises:
            ToolFailure: the expression is not plain arithmetic, has no value, or its value is too large.
        """
        return evaluate(arguments.expression)


def evaluate(expression: str) -> Number:
    """The value of an arithmetic expression in Python's notation (`×`, `÷` and `−` are understood too).

    Raises:
        ToolFailure: with the reason and, where it can be told, the mend.
    """
    try:
        tree = ast.parse(expression.translate(SIGNS).strip(), mode="eval")
        return _value(tree.body)
    except ZeroDivisionError:
        raise ToolFailure(f"{expression!r} divides by zero") from None
    except OverflowError:
        raise ToolFailure(f"{expression!r} is too large to compute") from None
    except (RecursionError, MemoryError):
        raise ToolFailure("the expression is nested too deeply; split it into smaller ones") from None
    except SyntaxError as exc:
        raise ToolFailure(f"{expression!r} is not an arithmetic expression: {exc.msg}") from None
    except ValueError as exc:  # e.g. sqrt(-1), log(0), or a literal of more digits than Python reads
        raise ToolFailure(f"{expression!r} has no value: {exc}") from None


def _value(node: ast.expr) -> Number:
    """The value of one node; every intermediate value is checked, so no step can grow without bound."""
    match node:
        case ast.Constant(value=value):
            return _number(value)
        case ast.Name(id=name):
            return _constant(name)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
            return _number(UNARY[type(op)](_value(operand)))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _number(BINARY[type(op)](_value(left), _value(right)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _number(_function(name)([_value(arg) for arg in args]))
        case _:
            raise ToolFailure(f"{ast.unparse(node)!r} is not arithmetic.{_hint(node)}")


def _hint(node: ast.expr) -> str:
    """How to mend the usual mistakes."""
    match node:
        case ast.Tuple():
            return " Write numbers without thousands separators: 1234567, not 1,234,567."
        case ast.BinOp(op=ast.BitXor()):
            return " Write powers with **: 2**10."
        case _:
            return " Use numbers, + - * / // % **, parentheses and the known functions."


def _number(value: object) -> Number:
    """`value` if it is a plain, finite number of bearable size."""
    match value:
        case int() if not isinstance(value, bool):
            if value.bit_length() > MAX_BITS:
                raise OverflowError
            return value
        case float():
            if not math.isfinite(value):
                raise OverflowError
            return value
        case complex():
            raise ToolFailure("the result is not a real number")
        case _:
            raise ToolFailure(f"{value!r} is not a number")


def _power(base: Number, exponent: Number) -> object:
    """`base ** exponent`, refused before it is computed when an exact result would be too large."""
    bits = (base.bit_length() - 1) * exponent if isinstance(base, int) and isinstance(exponent, int) else 0
    if bits > MAX_BITS and exponent > 0:
        raise OverflowError
    return base**exponent


def _divide(left: Number, right: Number) -> float:
    return left / right


def _divide_down(left: Number, right: Number) -> Number:
    return left // right


def _constant(name: str) -> float:
    if name not in CONSTANTS:
        raise ToolFailure(f"{name!r} is not known; the constants are {', '.join(CONSTANTS)}")
    return CONSTANTS[name]


def _function(name: str) -> Callable[[Sequence[Number]], object]:
    if name not in FUNCTIONS:
        raise ToolFailure(f"{name!r} is not known; the functions are {', '.join(FUNCTIONS)}")
    least, most, function = FUNCTIONS[name]

    def checked(arguments: Sequence[Number]) -> object:
        if not least <= len(arguments) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise ToolFailure(f"the number of arguments of {name} must be {wanted}, not {len(arguments)}")
        return function(arguments)

    return checked


def _round(arguments: Sequence[Number]) -> Number:
    if len(arguments) == 1:
        return round(arguments[0])
    digits = arguments[1]
    if not isinstance(digits, int) or abs(digits) > MAX_ROUNDING:
        raise ToolFailure(f"round takes a whole number of digits from -{MAX_ROUNDING} to {MAX_ROUNDING}")
    return round(arguments[0], digits)


def _log(arguments: Sequence[Number]) -> float:
    return math.log(*arguments)


UNARY: dict[type[ast.unaryop], Callable[[Number], object]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
BINARY: dict[type[ast.operator], Callable[[Number, Number], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divide,
    ast.FloorDiv: _divide_down,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
# name: (least, most number of arguments, what it computes)
FUNCTIONS: dict[str, tuple[int, int, Callable[[Sequence[Number]], object]]] = {
    "sqrt": (1, 1, lambda args: math.sqrt(args[0])),
    "abs": (1, 1, lambda args: abs(args[0])),
    "round": (1, 2, _round),
    "min": (1, 100, min),
    "max": (1, 100, max),
    "log": (1, 2, _log),
    "exp": (1, 1, lambda args: math.exp(args[0])),
    "sin": (1, 1, lambda args: math.sin(args[0])),
    "cos": (1, 1, lambda args: math.cos(args[0])),
}
