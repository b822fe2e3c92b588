# SPDX-License-Identifier: MIT
"""Networks as an ONNX graph that follows from their shape, and their parameters read from a graph.

Equal networks give equal graphs. A reader takes the parameters out, writes the graph again and
compares, so that a graph from outside is never run.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    helper,
    numpy_helper,
)

from regretless.errors import InputError
from regretless.networks.shape import NetworkShape, NetworkWeights

OPSET, IR_VERSION = 17, 8  # the first with LayerNormalization, and the format of its time
FEATURES, LEGAL, SEAT = "features", "legal", "seat"
OUTPUTS, PROBABILITIES = "outputs", "probabilities"
_GRAPH = "regretless"
_BATCH = "batch"
_MOST_OUTPUT, _LEAST_TOTAL = 1e30, 1e-30  # as in network.py
_NORM_EPSILON = 1e-5  # as torch has it
_TYPES: dict[int, str] = {
    TensorProto.FLOAT: "float32",
    TensorProto.BOOL: "bool",
    TensorProto.INT64: "int64",
}

_WIDTHS: dict[int, int] = {TensorProto.FLOAT: 4, TensorProto.BFLOAT16: 2}  # bytes of a weight


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


def network_graph(networks: NetworkWeights) -> GraphProto:
    """One network, or one for each seat, followed by the shares of the legal slots."""
    seats = networks.num_seats
    if len(networks) != (seats or 1):
        raise InputError("a graph has one network, or one for each seat")
    nodes, shape = Nodes(), networks.shape
    by_seat = [
        shape.onnx(
            GraphLayers(nodes, networks, int(networks.at(seat)[0]), _prefix(seat, seats)), FEATURES
        )
        for seat in range(seats or 1)
    ]
    outputs = by_seat[0] if seats is None else _of_seat(nodes, by_seat)
    nodes.add("Identity", [outputs], OUTPUTS)
    _shares(nodes, shape.head)
    inputs, results = graph_inputs(shape, seats), graph_outputs(shape)
    return helper.make_graph(nodes.nodes, _GRAPH, inputs, results, nodes.initializers)


def read_networks(
    graph: GraphProto, shape: NetworkShape, seats: int | None, place: str
) -> NetworkWeights:
    """The parameters of a graph that `network_graph` wrote; InputError for any other graph."""
    for name, found, expected in (
        ("inputs", graph.input, graph_inputs(shape, seats)),
        ("outputs", graph.output, graph_outputs(shape)),
    ):
        if list(found) != expected:
            raise InputError(f"{place}: its {name} must be {', '.join(map(_describe, expected))}")
    tensors = {each.name: each for each in graph.initializer}
    parameters = {
        name: np.stack(
            [
                _numbers(tensors, _prefix(seat, seats) + name, size, place)
                for seat in range(seats or 1)
            ]
        )
        for name, size in shape.parameters().items()
    }
    where = None if seats is None else np.arange(seats)
    networks = NetworkWeights(shape, parameters, np.ones(seats or 1), where)
    networks.check(place)
    if network_graph(networks) != graph:
        raise InputError(f"{place}: its graph is not the one of the network that it describes")
    return networks


def graph_inputs(shape: NetworkShape, seats: int | None) -> list[ValueInfoProto]:
    """The inputs: features, legal slots and, with networks by seat, the actor's seat."""
    inputs = [
        helper.make_tensor_value_info(FEATURES, TensorProto.FLOAT, [_BATCH, shape.inputs]),
        helper.make_tensor_value_info(LEGAL, TensorProto.BOOL, [_BATCH, shape.outputs]),
    ]
    if seats is not None:
        inputs.append(helper.make_tensor_value_info(SEAT, TensorProto.INT64, [_BATCH]))
    return inputs


def graph_outputs(shape: NetworkShape) -> list[ValueInfoProto]:
    """The output: probabilities of the slots."""
    return [
        helper.make_tensor_value_info(PROBABILITIES, TensorProto.FLOAT, [_BATCH, shape.outputs])
    ]


def with_outputs(model: bytes) -> bytes:
    """The model with one more output: those of the network before the shares."""
    found = ModelProto.FromString(model)
    (probabilities,) = found.graph.output
    outputs = found.graph.output.add()
    outputs.CopyFrom(probabilities)
    outputs.name = OUTPUTS
    data: bytes = found.SerializeToString()
    return data


def _prefix(seat: int, seats: int | None) -> str:
    return "" if seats is None else f"seat{seat}."


def _of_seat(nodes: Nodes, by_seat: Sequence[str]) -> str:
    """Selects the outputs of the actor's seat; a seat without a network is an error."""
    axis = nodes.integers([1])
    each = [nodes.add("Unsqueeze", [outputs, axis]) for outputs in by_seat]
    stacked = nodes.add("Concat", each, axis=1)  # [batch, seats, slots]
    where = nodes.add("Unsqueeze", [SEAT, axis])  # [batch, 1]
    return nodes.add("GatherND", [stacked, where], batch_dims=1)


def _shares(nodes: Nodes, head: str) -> None:
    """The nodes of `shares` in network.py."""
    zero = nodes.number(0.0)
    known = nodes.add("Where", [nodes.add("IsNaN", [OUTPUTS]), zero, OUTPUTS])
    ends = [nodes.number(-_MOST_OUTPUT), nodes.number(_MOST_OUTPUT)]
    outputs = nodes.add("Clip", [known, *ends])
    masked = nodes.add("Where", [LEGAL, outputs, nodes.number(-math.inf)])
    if head == "probabilities":
        nodes.add("Softmax", [masked], PROBABILITIES, axis=-1)
        return
    largest = nodes.add("ReduceMax", [masked], axes=[-1], keepdims=1)
    best = nodes.add("Cast", [nodes.add("Equal", [masked, largest])], to=TensorProto.FLOAT)
    if head == "values":
        nodes.add("Div", [best, nodes.sum(best)], PROBABILITIES)
        return
    best = nodes.add("Div", [best, nodes.sum(best)])
    positive = nodes.add("Where", [LEGAL, nodes.add("Relu", [outputs]), zero])
    total, tiny = nodes.sum(positive), nodes.number(_LEAST_TOTAL)
    matched = nodes.add("Div", [positive, nodes.add("Max", [total, tiny])])
    is_any = nodes.add("Greater", [total, tiny])
    nodes.add("Where", [is_any, matched, best], PROBABILITIES)


def _numbers(
    tensors: Mapping[str, TensorProto], name: str, size: tuple[int, ...], place: str
) -> NDArray[np.float32]:
    tensor = tensors.get(name)
    if tensor is None:
        raise InputError(f"{place}: {name} is missing")
    if tensor.data_location == TensorProto.EXTERNAL or tensor.external_data:
        raise InputError(f"{place}: {name} is in another file, which is not opened")
    width = _WIDTHS.get(tensor.data_type, 0)
    is_whole = len(tensor.raw_data) == width * math.prod(size)
    if width == 0 or tuple(tensor.dims) != size or not is_whole:
        raise InputError(f"{place}: {name} must be float32 {list(size)}, or bfloat16")
    if width == 4:
        return np.frombuffer(tensor.raw_data, "<f4").astype(np.float32).reshape(size)
    bits = np.frombuffer(tensor.raw_data, "<u2").astype(np.uint32) << np.uint32(16)
    return bits.view(np.float32).reshape(size)


def _describe(value: ValueInfoProto) -> str:
    """For example `features float32 [batch, 462]`."""
    tensor = value.type.tensor_type
    sizes = (each.dim_param or str(each.dim_value) for each in tensor.shape.dim)
    return f"{value.name} {_TYPES[tensor.elem_type]} [{', '.join(sizes)}]"
