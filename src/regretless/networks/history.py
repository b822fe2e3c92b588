# SPDX-License-Identifier: MIT
"""A perceptron that reads the last of its inputs, the actions so far, with attention."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from regretless.networks.layers import Layers, Linear, Norm, Shape, Table, within
from regretless.networks.mlp import Head, Inputs, MlpShape

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from regretless.networks.onnx_graph import GraphLayers, Nodes

_Size = Annotated[int, Field(ge=1, le=4096, strict=True)]
_MASKED = -1e30  # a score that has no share in a softmax


class Attention(BaseModel):
    """Attention over the records of a history: the last `records * record` inputs of a network.

    Records come oldest first; those that are missing are all 0, at the end. A record is present if
    its numbers but the first and the last have a sum above 0.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    records: Annotated[int, Field(ge=1, le=1024, strict=True)] = 30
    record: Annotated[int, Field(ge=3, le=1024, strict=True)] = 11
    """Numbers of a record: the actor, the action one-hot, and the size of the bet."""
    width: _Size = 64
    """Width of an embedded record."""
    heads: Annotated[int, Field(ge=1, le=64, strict=True)] = 4
    """Heads of the attention of each layer; they divide the width among them."""
    layers: Annotated[int, Field(ge=1, le=16, strict=True)] = 2
    feedforward: _Size = 128
    """Width of the hidden layer after each attention."""
    outputs: _Size = 256
    """Numbers that replace the history among the inputs of the perceptron."""

    @model_validator(mode="after")
    def _check_heads(self) -> Self:
        if self.width % self.heads:
            raise ValueError(f"{self.heads} heads cannot share a width of {self.width}")
        return self

    @property
    def inputs(self) -> int:
        """Numbers of a history."""
        return self.records * self.record

    def layer_table(self) -> Layers:
        width, wide = self.width, self.feedforward
        found: Layers = {
            "record": Linear(self.record, width),
            "positions": Table(self.records, width),
        }
        for number in range(self.layers):
            layer: Layers = {
                "attention": Linear(width, 3 * width),  # queries, keys and values
                "mixing": Linear(width, width),
                "mixing_norm": Norm(width),
                "widening": Linear(width, wide),
                "narrowing": Linear(wide, width),
                "narrowing_norm": Norm(width),
            }
            found |= within(f"layers.{number}", layer)
        return found | {"output": Linear(width, self.outputs), "output_norm": Norm(self.outputs)}


class HistoryShape(Shape):
    """Attention over the history, whose outputs join the other features as inputs of the trunk."""

    kind: Literal["history"] = "history"
    inputs: Inputs
    attention: Attention
    trunk: MlpShape

    @model_validator(mode="after")
    def _check_inputs(self) -> Self:
        if self.attention.inputs > self.inputs:
            records = f"{self.attention.records} records of {self.attention.record}"
            raise ValueError(f"a history of {records} is more than {self.inputs} inputs")
        wanted = self.inputs - self.attention.inputs + self.attention.outputs
        if self.trunk.inputs != wanted:
            raise ValueError(f"trunk: must have {wanted} inputs, not {self.trunk.inputs}")
        return self

    @classmethod
    def around(cls, trunk: MlpShape, **options: int) -> "HistoryShape":
        """A perceptron whose last inputs, a history, are read by `Attention(**options)` first."""
        attention = Attention(**options)
        inputs = trunk.inputs - attention.inputs + attention.outputs
        narrowed = trunk.model_copy(update={"inputs": max(inputs, 1)})
        return cls(inputs=trunk.inputs, attention=attention, trunk=narrowed)

    @property
    def outputs(self) -> int:
        return self.trunk.outputs

    @property
    def head(self) -> Head:
        return self.trunk.head

    @property
    def sizes(self) -> str:
        """The widths from the inputs to the outputs, for people."""
        return f"{self.inputs} x {self.trunk.sizes.partition(' x ')[2]}"

    @property
    def traits(self) -> list[str]:
        """Other properties, for people."""
        activation, *others = self.trunk.traits
        return [activation, f"attention over {self.attention.records} records", *others]

    @property
    def row_numbers(self) -> int:
        """Numbers that one row makes at most, at its widest layer."""
        each = self.attention
        widest = max(3 * each.width, each.feedforward, each.heads * each.records)
        return max(each.records * widest, self.trunk.row_numbers)

    def layers(self) -> Layers:
        history = within("history", self.attention.layer_table())
        return within("trunk", self.trunk.layers()) | history

    def draw(self, module: Any, generator: "Generator") -> None:
        from regretless.networks.attention import draw_positions

        draw_positions(module.history, generator)

    def forward(self, module: Any, features: "Tensor") -> "Tensor":
        """Features [batch, inputs] to outputs [batch, outputs], with the layers of a module."""
        import torch

        from regretless.networks.attention import read_history

        others = self.inputs - self.attention.inputs
        read = read_history(self.attention, module.history, features[:, others:])
        return self.trunk.forward(module.trunk, torch.cat([features[:, :others], read], dim=1))

    def onnx(self, graph: "GraphLayers", features: str) -> str:
        """The nodes of `forward`; returns the name of the outputs.

        Every history has room for all records, so that all sizes but the batch are fixed.
        """
        others, history = self.inputs - self.attention.inputs, graph.within("history")
        if others == 0:
            inputs = _onnx_history(history, self.attention, features)
        else:
            kept, records = graph.nodes.split(features, [others, self.attention.inputs], 1)
            read = _onnx_history(history, self.attention, records)
            inputs = graph.nodes.add("Concat", [kept, read], axis=1)
        return self.trunk.onnx(graph.within("trunk"), inputs)


def _onnx_history(graph: "GraphLayers", shape: Attention, histories: str) -> str:
    """[batch, records * record] to [batch, outputs]."""
    nodes = graph.nodes
    sizes = nodes.integers([0, shape.records, shape.record])  # 0: the size of the batch
    records = nodes.add("Reshape", [histories, sizes])
    present = _present(nodes, shape, records)
    hidden = graph.linear_of_each("record", records)
    hidden = nodes.add("Add", [hidden, _positions(graph, present)])
    mask = nodes.add("Unsqueeze", [present, nodes.integers([1, 2])])  # [batch, 1, 1, records]
    for number in range(shape.layers):
        hidden = _onnx_layer(graph, f"layers.{number}", shape, hidden, mask)
    return _onnx_mean(graph, hidden, present)


def _present(nodes: "Nodes", shape: Attention, records: str) -> str:
    """Flags of the records that are present, [batch, records]."""
    ends = [nodes.integers([1]), nodes.integers([shape.record - 1]), nodes.integers([2])]
    actions = nodes.add("Slice", [records, *ends])
    return nodes.add("Greater", [nodes.sum(actions, 2, keep=False), nodes.number(0.0)])


def _positions(graph: "GraphLayers", present: str) -> str:
    """[batch, records, width]: by the number of present records before."""
    nodes = graph.nodes
    flags = nodes.add("Where", [present, nodes.integers([1]), nodes.integers([0])])
    counts = nodes.add("CumSum", [flags, nodes.integer(1)])
    places = nodes.add("Sub", [counts, nodes.integers([1])])
    places = nodes.add("Max", [places, nodes.integers([0])])  # for missing records
    return nodes.add("Gather", [graph.parameter("positions"), places], axis=0)


def _onnx_layer(graph: "GraphLayers", name: str, shape: Attention, hidden: str, mask: str) -> str:
    nodes = graph.nodes
    mixed = _onnx_attention(nodes, shape, graph.linear_of_each(f"{name}.attention", hidden), mask)
    mixed = nodes.add("Add", [hidden, graph.linear_of_each(f"{name}.mixing", mixed)])
    hidden = graph.norm(f"{name}.mixing_norm", mixed)
    wide = nodes.add("Relu", [graph.linear_of_each(f"{name}.widening", hidden)])
    narrow = nodes.add("Add", [hidden, graph.linear_of_each(f"{name}.narrowing", wide)])
    return graph.norm(f"{name}.narrowing_norm", narrow)


def _onnx_attention(nodes: "Nodes", shape: Attention, numbers: str, mask: str) -> str:
    """[batch, records, 3 * width] to [batch, records, width]."""
    width = shape.width // shape.heads  # of a head
    sizes = nodes.integers([0, shape.records, shape.heads, width])
    parts = [
        nodes.add("Reshape", [part, sizes]) for part in nodes.split(numbers, [shape.width] * 3, 2)
    ]
    # [batch, heads, records, width], keys apart
    orders = ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3])
    queries, keys, values = (
        nodes.add("Transpose", [part], perm=order)
        for part, order in zip(parts, orders, strict=True)
    )
    scores = nodes.add("Mul", [nodes.add("MatMul", [queries, keys]), nodes.number(width**-0.5)])
    scores = nodes.add("Where", [mask, scores, nodes.number(_MASKED)])
    shares = nodes.add("Softmax", [scores], axis=-1)
    mixed = nodes.add("Transpose", [nodes.add("MatMul", [shares, values])], perm=[0, 2, 1, 3])
    return nodes.add("Reshape", [mixed, nodes.integers([0, shape.records, shape.width])])


def _onnx_mean(graph: "GraphLayers", hidden: str, present: str) -> str:
    """The output layer on the mean over the present records; zeros without any."""
    nodes = graph.nodes
    mask = nodes.add("Unsqueeze", [present, nodes.integers([2])])  # [batch, records, 1]
    kept = nodes.add("Where", [mask, hidden, nodes.number(0.0)])
    lengths = nodes.sum(nodes.add("Where", [present, nodes.number(1.0), nodes.number(0.0)]))
    divisors = nodes.add("Max", [lengths, nodes.number(1.0)])
    means = nodes.add("Div", [nodes.sum(kept, 1, keep=False), divisors])
    read = graph.norm("output_norm", graph.linear("output", means))
    is_any = nodes.add("Greater", [lengths, nodes.number(0.0)])
    return nodes.add("Where", [is_any, nodes.add("Relu", [read]), nodes.number(0.0)])
