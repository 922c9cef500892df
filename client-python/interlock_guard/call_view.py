"""What a policy is shown of a function's arguments, and how what was judged becomes arguments again."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Tuple

from .codec import encode_text
from .snapshot import snapshot
from .unfit import Unfit
from .wire_error import WireError

_Parameter = inspect.Parameter


class CallView:
    """By the names of its parameters, defaults filled in. ``*rest`` is a list under its own name; ``**rest`` is shown name by name.

    Not shown, and passed on as they are: a first parameter named ``self`` or ``cls``, and those that are ``hidden``.

    Raises ``TypeError``: the function has no signature, a name is hidden that it does not take, or its name of ``*rest`` may be one of ``**rest``.
    """

    def __init__(self, function: Callable[..., Any], hidden: Iterable[str] = ()) -> None:
        name = getattr(function, "__name__", "the function")
        try:
            self._signature = inspect.signature(function)
        except (TypeError, ValueError):
            raise TypeError(f"guard: {name} has no signature that its arguments could be named by") from None
        parameters = self._signature.parameters
        self._hidden: FrozenSet[str] = frozenset(hidden)
        unknown = self._hidden - parameters.keys()
        if unknown:
            raise TypeError(f"guard: {name} has no parameter {sorted(unknown)[0]}")
        first = next(iter(parameters), "")
        if first in ("self", "cls"):
            self._hidden |= {first}
        self._rest = next((p.name for p in parameters.values() if p.kind is _Parameter.VAR_KEYWORD), None)

    def shown(self, arguments: Tuple[Any, ...], named: Dict[str, Any]) -> "ShownCall":
        """Raises ``TypeError`` as the function itself would: it does not take them."""
        bound = self._signature.bind(*arguments, **named)
        bound.apply_defaults()
        view: Dict[str, Any] = {}
        for name, value in bound.arguments.items():
            if name == self._rest and name not in self._hidden:
                continue
            if name not in self._hidden:
                view[name] = list(value) if self._signature.parameters[name].kind is _Parameter.VAR_POSITIONAL else value
        if self._rest is not None and self._rest not in self._hidden:
            extra = bound.arguments[self._rest]
            taken = view.keys() & extra.keys()
            if taken or (extra.keys() & self._signature.parameters.keys()):
                raise Unfit("an argument has the name of another parameter, and both cannot be shown")
            view.update(extra)
        # A copy of their own: what the caller changes while the guard is asked does not run.
        return ShownCall(self._signature, self._hidden, self._rest, bound.arguments, snapshot(view))


class ShownCall:
    def __init__(
        self,
        signature: inspect.Signature,
        hidden: FrozenSet[str],
        rest: "str | None",
        original: Dict[str, Any],
        view: Dict[str, Any],
    ) -> None:
        self._signature = signature
        self._hidden = hidden
        self._rest = rest
        self._original = original
        self.view = view

    def arguments(self, judged: Dict[str, Any]) -> Tuple[List[Any], Dict[str, Any]]:
        """Those to call the function with. A rewrite reaches positional and named ones alike. Raises ``Unfit``."""
        left = {name: self._typed(name, value) for name, value in judged.items()}
        positional: List[Any] = []
        named: Dict[str, Any] = {}
        # After one that is left out everything has to go by its name.
        by_name = False
        for name, parameter in self._signature.parameters.items():
            if parameter.kind is _Parameter.VAR_KEYWORD:
                continue
            if name in self._hidden:
                value = self._original[name]
            elif name in left:
                value = left.pop(name)
            elif parameter.kind is _Parameter.VAR_POSITIONAL:
                value = ()
            elif parameter.default is _Parameter.empty:
                raise Unfit("a rewrite took away an argument that the function needs")
            else:
                by_name = True
                continue
            if parameter.kind is _Parameter.VAR_POSITIONAL:
                if not isinstance(value, (list, tuple)) or (by_name and value):
                    raise Unfit("a rewrite made the further arguments something that cannot be passed")
                positional.extend(value)
            elif parameter.kind is _Parameter.KEYWORD_ONLY or (by_name and parameter.kind is not _Parameter.POSITIONAL_ONLY):
                named[name] = value
            elif by_name:
                raise Unfit("a rewrite took away an argument before one that has no name")
            else:
                positional.append(value)
        if self._rest is None:
            if left:
                raise Unfit("a rewrite added an argument that the function does not take")
        elif self._rest in self._hidden:
            if left:
                raise Unfit("a rewrite added an argument that the function does not take")
            named.update(self._original[self._rest])
        else:
            named.update(left)
        return positional, named

    def _typed(self, name: str, value: Any) -> Any:
        """What a rule left as it was stays of its type: a tuple comes back as a list, a set too."""
        own = self.view.get(name, _MISSING)
        return own if own is not _MISSING and _text(own) == _text(value) else value


_MISSING = object()


def _text(value: Any) -> Any:
    try:
        return encode_text(value, escape=True)
    except WireError:
        return value
