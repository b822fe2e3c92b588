# SPDX-License-Identifier: MIT
"""The part of a network that reads what was done so far, as plain data; torch is not needed."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

_Size = Annotated[int, Field(ge=1, le=4096, strict=True)]


class HistoryShape(BaseModel):
    """Attention over the records of a history: the last `records * record` inputs of a network.

    They come record by record, the oldest first, and those that are missing are all 0, at the end.
    A record is there if its numbers but the first and the last have a sum above 0.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    records: Annotated[int, Field(ge=1, le=1024, strict=True)] = 30
    record: Annotated[int, Field(ge=3, le=1024, strict=True)] = 11
    """Numbers of a record: who acted, what he did as a 1 among zeros, and the size of the bet."""
    width: _Size = 64
    """Of what the layers make of a record."""
    heads: Annotated[int, Field(ge=1, le=64, strict=True)] = 4
    """Of the attention of each layer; they divide the width among them."""
    layers: Annotated[int, Field(ge=1, le=16, strict=True)] = 2
    feedforward: _Size = 128
    """Width of the hidden layer after each attention."""
    outputs: _Size = 256
    """Numbers that take the place of the history among the inputs of the first hidden layer."""

    @model_validator(mode="after")
    def _check_heads(self) -> Self:
        if self.width % self.heads:
            raise ValueError(f"{self.heads} heads cannot share a width of {self.width}")
        return self

    @property
    def inputs(self) -> int:
        """Numbers of a history."""
        return self.records * self.record

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The shape of each parameter by its name."""
        width = self.width
        shapes = _linear("record", self.record, width) | {"positions": (self.records, width)}
        for number in range(self.layers):
            name = f"layers.{number}"
            shapes |= _linear(f"{name}.attention", width, 3 * width)
            shapes |= _linear(f"{name}.mixing", width, width)
            shapes |= _norm(f"{name}.mixing_norm", width)
            shapes |= _linear(f"{name}.widening", width, self.feedforward)
            shapes |= _linear(f"{name}.narrowing", self.feedforward, width)
            shapes |= _norm(f"{name}.narrowing_norm", width)
        return shapes | _linear("output", width, self.outputs) | _norm("output_norm", self.outputs)


def _linear(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def _norm(name: str, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}
