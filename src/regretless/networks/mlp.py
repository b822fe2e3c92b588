# SPDX-License-Identifier: MIT
"""A multi-layer perceptron from the features of an encoder to one number for each slot."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from regretless.networks.layers import Layers, Linear, Norm, Shape

if TYPE_CHECKING:
    from torch import Generator, Tensor

    from regretless.networks.onnx_graph import GraphLayers

Width = Annotated[int, Field(ge=1, le=16_384, strict=True)]
Inputs = Annotated[int, Field(ge=1, le=1 << 20, strict=True)]
Outputs = Annotated[int, Field(ge=1, le=64, strict=True)]
Head = Literal["advantages", "probabilities", "values"]
"""The meaning of the outputs: regrets, which are matched; logits, whose softmax is played; or
values, of which the largest is played."""
_Flag = Annotated[bool, Field(strict=True)]


class MlpShape(Shape):
    """Hidden layers one after the other, then the outputs."""

    kind: Literal["mlp"] = "mlp"
    inputs: Inputs
    widths: Annotated[tuple[Width, ...], Field(max_length=64)]
    """Widths of the hidden layers."""
    outputs: Outputs
    """Slots of the game."""
    head: Head
    activation: Literal["relu", "gelu", "silu", "tanh"] = "relu"
    layer_norm: _Flag = False
    """Layer normalisation after each hidden layer, before its activation."""
    residual: _Flag = False
    """A hidden layer that is as wide as its input adds to it."""
    stream: Annotated[int, Field(ge=0, le=16_384, strict=True)] = 0
    """Width of one more hidden layer before the outputs, with ReLU and without a norm; 0: none."""
    dueling: _Flag = False
    """For values only (Wang et al. 2016): the outputs are advantages, whose mean over all slots is
    subtracted, plus one value, which has a stream of its own."""

    @model_validator(mode="after")
    def _check_dueling(self) -> Self:
        if self.dueling and self.head != "values":
            raise ValueError(f"dueling: for a head of values, not of {self.head}")
        return self

    @property
    def sizes(self) -> str:
        """The widths from the inputs to the outputs, for people."""
        stream = [self.stream] if self.stream else []
        return " x ".join(map(str, (self.inputs, *self.widths, *stream, self.outputs)))

    @property
    def traits(self) -> list[str]:
        """Other properties, for people."""
        return [self.activation, *(["dueling"] if self.dueling else [])]

    @property
    def row_numbers(self) -> int:
        """Numbers that one row makes at most, at its widest layer."""
        return max(self.inputs, *self.widths, self.stream, self.outputs)

    def layers(self) -> Layers:
        sizes = [self.inputs, *self.widths]
        found: Layers = {
            f"layers.{number}": Linear(sizes[number], width)
            for number, width in enumerate(self.widths)
        }
        if self.layer_norm:
            found |= {f"norms.{number}": Norm(width) for number, width in enumerate(self.widths)}
        found |= self._head_layers("stream", "output", sizes[-1], self.outputs)
        return found | (
            self._head_layers("value_stream", "value_output", sizes[-1], 1) if self.dueling else {}
        )

    def _head_layers(self, stream: str, output: str, inputs: int, outputs: int) -> Layers:
        if not self.stream:
            return {output: Linear(inputs, outputs)}
        return {stream: Linear(inputs, self.stream), output: Linear(self.stream, outputs)}

    def draw(self, module: Any, generator: "Generator") -> None:
        """Linear layers are drawn by `Network`; there is nothing else."""

    def forward(self, module: Any, features: "Tensor") -> "Tensor":
        """Features [batch, inputs] to outputs [batch, outputs], with the layers of a module."""
        from regretless.networks.network import ACTIVATIONS

        for number, layer in enumerate(module.layers if self.widths else ()):
            hidden = layer(features)
            if self.layer_norm:
                hidden = module.norms[number](hidden)
            hidden = ACTIVATIONS[self.activation](hidden)
            is_residual = self.residual and hidden.shape == features.shape
            features = features + hidden if is_residual else hidden
        streamed = module.stream(features).relu() if self.stream else features
        outputs: Tensor = module.output(streamed)
        if not self.dueling:
            return outputs
        streamed = module.value_stream(features).relu() if self.stream else features
        value: Tensor = module.value_output(streamed)
        return value + outputs - outputs.mean(dim=-1, keepdim=True)

    def onnx(self, graph: "GraphLayers", features: str) -> str:
        """The nodes of `forward`; returns the name of the outputs."""
        nodes, before = graph.nodes, self.inputs
        for number, width in enumerate(self.widths):
            hidden = graph.linear(f"layers.{number}", features)
            if self.layer_norm:
                hidden = graph.norm(f"norms.{number}", hidden)
            hidden = nodes.activation(self.activation, hidden)
            is_residual = self.residual and width == before
            features = nodes.add("Add", [features, hidden]) if is_residual else hidden
            before = width
        outputs = self._onnx_head(graph, "stream", "output", features)
        if not self.dueling:
            return outputs
        value = self._onnx_head(graph, "value_stream", "value_output", features)
        mean = nodes.add("ReduceMean", [outputs], axes=[-1], keepdims=1)
        return nodes.add("Sub", [nodes.add("Add", [value, outputs]), mean])

    def _onnx_head(self, graph: "GraphLayers", stream: str, output: str, hidden: str) -> str:
        if self.stream:
            hidden = graph.nodes.add("Relu", [graph.linear(stream, hidden)])
        return graph.linear(output, hidden)
