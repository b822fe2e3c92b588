# SPDX-License-Identifier: MIT
"""The nodes of an ONNX graph, and the layers that networks are made of."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

from regretless.networks.shape import NetworkWeights

_NORM_EPSILON = 1e-5  # as torch has it


class Nodes:
    """Nodes in the order of evaluation; each is named after its result."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self._names: set[str] = set()

    def add(self, kind: str, inputs: Sequence[str], name: str = "", **attributes: Any) -> str:
        """Adds a node; its result is called `name`, or after its kind and number."""
        name = name or self._free(kind)
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def split(self, x: str, sizes: Sequence[int], axis: int) -> list[str]:
        """Splits into parts of these sizes."""
        name = self._free("Split")
        names = [f"{name}_{number}" for number in range(len(sizes))]
        inputs = [x, self.integers(sizes)]
        self.nodes.append(helper.make_node("Split", inputs, names, name=name, axis=axis))
        return names

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Adds an initializer; one of the same name is not repeated."""
        if name not in self._names:
            self._names.add(name)
            self.initializers.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def halves(self, name: str, bits: NDArray[np.uint16]) -> str:
        """Adds an initializer in bfloat16; returns it cast to float32."""
        if name not in self._names:
            self._names.add(name)
            data = bits.astype("<u2").tobytes()
            tensor = helper.make_tensor(name, TensorProto.BFLOAT16, bits.shape, data, raw=True)
            self.initializers.append(tensor)
            self.add("Cast", [name], f"{name}_float32", to=TensorProto.FLOAT)
        return f"{name}_float32"

    def number(self, value: float) -> str:
        """A scalar constant, named after its value."""
        number = np.float32(value)
        return self.constant(f"number_{number!s}", np.array(number))

    def integers(self, values: Sequence[int]) -> str:
        """Sizes, indices or axes, named after their values."""
        name = f"integers_{'_'.join(map(str, values))}"
        return self.constant(name, np.array(values, np.int64))

    def integer(self, value: int) -> str:
        """A scalar whole number."""
        return self.constant(f"integer_{value}", np.array(value, np.int64))

    def sum(self, x: str, axis: int = -1, *, keep: bool = True) -> str:
        return self.add("ReduceSum", [x, self.integers([axis])], keepdims=int(keep))

    def activation(self, kind: str, x: str) -> str:
        """The activation as torch computes it."""
        if kind == "relu":
            return self.add("Relu", [x])
        if kind == "tanh":
            return self.add("Tanh", [x])
        if kind == "silu":
            return self.add("Mul", [x, self.add("Sigmoid", [x])])
        erf = self.add("Erf", [self.add("Mul", [x, self.number(math.sqrt(0.5))])])
        share = self.add("Add", [erf, self.number(1.0)])
        return self.add("Mul", [self.add("Mul", [x, self.number(0.5)]), share])

    def _free(self, kind: str) -> str:
        return f"{kind.lower()}_{len(self.nodes)}"


class GraphLayers:
    """The layers of one of several networks; parameters join the graph when they are first used."""

    def __init__(
        self,
        nodes: Nodes,
        networks: NetworkWeights,
        number: int = 0,
        prefix: str = "",
        part: str = "",
    ) -> None:
        """`prefix` begins the names in the graph; `part` is a part of the network, as `trunk.`."""
        self.nodes, self._networks, self._part = nodes, networks, part
        self._number, self._prefix = number, prefix

    def within(self, part: str) -> "GraphLayers":
        """The layers of a part of the network."""
        inner = f"{self._part}{part}."
        return GraphLayers(self.nodes, self._networks, self._number, self._prefix, inner)

    def parameter(self, name: str) -> str:
        """Weights that are all bfloat16 are stored as such: half the file, the same numbers."""
        name = self._part + name
        numbers = self._networks.parameters[name][self._number].astype(np.float32)
        name = self._prefix + name
        bits = np.ascontiguousarray(numbers).view(np.uint32)
        if numbers.ndim < 2 or np.any(bits & 0xFFFF):
            return self.nodes.constant(name, numbers)
        return self.nodes.halves(name, (bits >> 16).astype(np.uint16))

    def linear(self, name: str, x: str) -> str:
        """[batch, inputs] to [batch, outputs]; a weight is [outputs, inputs]."""
        inputs = [x, self.parameter(f"{name}.weight"), self.parameter(f"{name}.bias")]
        return self.nodes.add("Gemm", inputs, transB=1)

    def linear_of_each(self, name: str, x: str) -> str:
        """A linear layer on each record, [batch, records, inputs]."""
        weight = self.nodes.add("Transpose", [self.parameter(f"{name}.weight")], perm=[1, 0])
        product = self.nodes.add("MatMul", [x, weight])
        return self.nodes.add("Add", [product, self.parameter(f"{name}.bias")])

    def norm(self, name: str, x: str) -> str:
        """Layer normalisation over the last axis."""
        inputs = [x, self.parameter(f"{name}.weight"), self.parameter(f"{name}.bias")]
        return self.nodes.add("LayerNormalization", inputs, axis=-1, epsilon=_NORM_EPSILON)
