"""The one base of every value that crosses our boundary: frozen, strict, without unknown fields."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

__all__ = ["Value"]


class Value(BaseModel):
    """A frozen pydantic model. An unknown field is refused; a field that does not apply is absent, not null."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="null")

    @model_serializer(mode="wrap")
    def _without_absent(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = serialize(self)
        return {name: value for name, value in fields.items() if value is not None}

    def to_json(self) -> dict[str, Any]:
        """Give the value as JSON-ready data, without the fields that do not apply."""
        return self.model_dump(mode="json")

    def to_json_of(self, *names: str) -> dict[str, Any]:
        """Give some of its fields as `to_json` does."""
        return self.model_dump(mode="json", include=set(names))
