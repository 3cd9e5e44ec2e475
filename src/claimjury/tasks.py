"""Two things at once, where an error of the first comes out as it is, not wrapped in a group."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import anyio

__all__ = ["work_beside"]

T = TypeVar("T")


async def work_beside(
    work: Callable[[], Awaitable[T]], background: Callable[[], Coroutine[Any, Any, None]], *, wait: bool
) -> T:
    """Do `work` while `background` runs; at the end wait for the background, or cancel it.

    Raises:
        Exception: Whatever `work` raised.
    """
    failure: Exception | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(background)
        try:
            result = await work()
        except Exception as error:  # noqa: BLE001 - it is raised below, unchanged.
            failure = error
        if failure is not None or not wait:
            group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result
