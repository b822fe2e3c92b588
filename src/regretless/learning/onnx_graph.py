# SPDX-License-Identifier: MIT
"""Networks as an ONNX graph, node by node from their shape, and their numbers again from it.

The same networks always give the same graph. Whoever reads one takes the numbers out, writes the
graph anew and compares, so no graph of a stranger is ever run.
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
from regretless.learning.network_shape import NetworkShape, NetworkWeights

OPSET, IR_VERSION = 17, 8  # the first with LayerNormalization, and the format of its time
FEATURES, LEGAL, SEAT = "features", "legal", "seat"
OUTPUTS, PROBABILITIES = "outputs", "probabilities"
_GRAPH = "regretless"
_BATCH = "batch"
_NORM_EPSILON = 1e-5  # as torch has it
_MOST_OUTPUT = 1e30  # as in networks.py
_TYPES: dict[int, str] = {
    TensorProto.FLOAT: "float32",
    TensorProto.BOOL: "bool",
    TensorProto.INT64: "int64",
}


def network_graph(networks: NetworkWeights) -> GraphProto:
    """One network, or one for each seat, and what is played: shares over the legal slots."""
    seats = networks.num_seats
    if len(networks) != (seats or 1):
        raise InputError("a graph has one network, or one for each seat")
    graph, shape = _Graph(), networks.shape
    by_seat = [
        _outputs(graph, networks, int(networks.at(seat)[0]), _prefix(seat, seats))
        for seat in range(seats or 1)
    ]
    outputs = by_seat[0] if seats is None else _of_seat(graph, by_seat)
    graph.add("Identity", [outputs], OUTPUTS)
    _shares(graph, shape.head)
    inputs, results = graph_inputs(shape, seats), graph_outputs(shape)
    return helper.make_graph(graph.nodes, _GRAPH, inputs, results, graph.initializers)


def read_networks(
    graph: GraphProto, shape: NetworkShape, seats: int | None, place: str
) -> NetworkWeights:
    """The numbers of a graph that `network_graph` wrote; InputError if it is any other."""
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
    """What a graph reads: features, legal slots and, with networks by seat, the actor's seat."""
    inputs = [
        helper.make_tensor_value_info(FEATURES, TensorProto.FLOAT, [_BATCH, shape.inputs]),
        helper.make_tensor_value_info(LEGAL, TensorProto.BOOL, [_BATCH, shape.outputs]),
    ]
    if seats is not None:
        inputs.append(helper.make_tensor_value_info(SEAT, TensorProto.INT64, [_BATCH]))
    return inputs


def graph_outputs(shape: NetworkShape) -> list[ValueInfoProto]:
    """What a graph gives: probabilities of the slots."""
    return [
        helper.make_tensor_value_info(PROBABILITIES, TensorProto.FLOAT, [_BATCH, shape.outputs])
    ]


def with_outputs(model: bytes) -> bytes:
    """The same model, which gives the outputs of the network, too."""
    found = ModelProto.FromString(model)
    (probabilities,) = found.graph.output
    outputs = found.graph.output.add()
    outputs.CopyFrom(probabilities)
    outputs.name = OUTPUTS
    data: bytes = found.SerializeToString()
    return data


class _Graph:
    """Nodes in the order of their work; each is named after what it gives."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self._names: set[str] = set()

    def add(self, kind: str, inputs: Sequence[str], name: str = "", **attributes: Any) -> str:
        """A node; what it gives is called `name`, or after its kind and number."""
        name = name or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """Numbers by name; those that are there already are not repeated."""
        if name not in self._names:
            self._names.add(name)
            self.initializers.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def number(self, name: str, value: float) -> str:
        return self.constant(name, np.array(value, np.float32))


class _Parameters:
    """Of one of several networks, put into the graph when they are first used."""

    def __init__(self, graph: _Graph, networks: NetworkWeights, number: int, prefix: str) -> None:
        self._graph, self._networks = graph, networks
        self._number, self._prefix = number, prefix

    def __call__(self, name: str) -> str:
        parameter = self._networks.parameters[name][self._number]
        return self._graph.constant(self._prefix + name, parameter.astype(np.float32))

    def linear(self, name: str, inputs: str) -> str:
        """A layer of torch: weight [outputs, inputs], and a bias."""
        names = [inputs, self(f"{name}.weight"), self(f"{name}.bias")]
        return self._graph.add("Gemm", names, transB=1)


def _prefix(seat: int, seats: int | None) -> str:
    """Of the names of a seat's parameters."""
    return "" if seats is None else f"seat{seat}."


def _outputs(graph: _Graph, networks: NetworkWeights, number: int, prefix: str) -> str:
    """As `Network.forward` of networks.py."""
    shape, of = networks.shape, _Parameters(graph, networks, number, prefix)
    features, before = FEATURES, shape.inputs
    for layer, width in enumerate(shape.widths):
        hidden = of.linear(f"layers.{layer}", features)
        if shape.layer_norm:
            norm = [hidden, of(f"norms.{layer}.weight"), of(f"norms.{layer}.bias")]
            hidden = graph.add("LayerNormalization", norm, axis=-1, epsilon=_NORM_EPSILON)
        hidden = _activation(graph, shape.activation, hidden)
        is_residual = shape.residual and width == before
        features = graph.add("Add", [features, hidden]) if is_residual else hidden
        before = width
    return of.linear("output", features)


def _activation(graph: _Graph, kind: str, x: str) -> str:
    if kind == "relu":
        return graph.add("Relu", [x])
    if kind == "tanh":
        return graph.add("Tanh", [x])
    if kind == "silu":
        return graph.add("Mul", [x, graph.add("Sigmoid", [x])])
    scaled = graph.add("Mul", [x, graph.number("half_root", math.sqrt(0.5))])
    share = graph.add("Add", [graph.add("Erf", [scaled]), graph.number("one", 1.0)])
    return graph.add("Mul", [graph.add("Mul", [x, graph.number("half", 0.5)]), share])


def _of_seat(graph: _Graph, by_seat: Sequence[str]) -> str:
    """Of the outputs of all networks those of each actor's seat; a seat without one is an error."""
    axis = graph.constant("seat_axis", np.array([1], np.int64))
    each = [graph.add("Unsqueeze", [outputs, axis]) for outputs in by_seat]
    stacked = graph.add("Concat", each, axis=1)  # [batch, seats, slots]
    where = graph.add("Unsqueeze", [SEAT, axis])  # [batch, 1]
    return graph.add("GatherND", [stacked, where], batch_dims=1)


def _shares(graph: _Graph, head: str) -> None:
    """As `shares` of networks.py."""
    zero = graph.number("zero", 0.0)
    most = [graph.number("least", -_MOST_OUTPUT), graph.number("most", _MOST_OUTPUT)]
    known = graph.add("Where", [graph.add("IsNaN", [OUTPUTS]), zero, OUTPUTS])
    outputs = graph.add("Clip", [known, *most])
    masked = graph.add("Where", [LEGAL, outputs, graph.number("never", -math.inf)])
    if head == "probabilities":
        graph.add("Softmax", [masked], PROBABILITIES, axis=-1)
        return
    best = graph.add("Equal", [masked, graph.add("ReduceMax", [masked], axes=[-1], keepdims=1)])
    best = graph.add("Cast", [best], to=TensorProto.FLOAT)
    values = [best, _sum(graph, best)]
    if head == "values":
        graph.add("Div", values, PROBABILITIES)
        return
    positive = graph.add("Where", [LEGAL, graph.add("Relu", [outputs]), zero])
    total = _sum(graph, positive)
    least = graph.add("Max", [total, graph.number("tiny", 1e-30)])
    matched = graph.add("Div", [positive, least])
    is_any = graph.add("Greater", [total, zero])
    graph.add("Where", [is_any, matched, graph.add("Div", values)], PROBABILITIES)


def _sum(graph: _Graph, x: str) -> str:
    axes = graph.constant("last_axis", np.array([-1], np.int64))
    return graph.add("ReduceSum", [x, axes], keepdims=1)


def _numbers(
    tensors: Mapping[str, TensorProto], name: str, size: tuple[int, ...], place: str
) -> NDArray[np.float32]:
    """Of an initializer that must be float32 and of this size."""
    tensor = tensors.get(name)
    if tensor is None:
        raise InputError(f"{place}: {name} is missing")
    if tensor.data_location == TensorProto.EXTERNAL or tensor.external_data:
        raise InputError(f"{place}: {name} is in another file, which is not opened")
    is_whole = len(tensor.raw_data) == 4 * math.prod(size)
    if tensor.data_type != TensorProto.FLOAT or tuple(tensor.dims) != size or not is_whole:
        raise InputError(f"{place}: {name} must be float32 {list(size)}")
    return np.frombuffer(tensor.raw_data, "<f4").astype(np.float32).reshape(size)


def _describe(value: ValueInfoProto) -> str:
    """Such as `features float32 [batch, 462]`."""
    tensor = value.type.tensor_type
    sizes = (each.dim_param or str(each.dim_value) for each in tensor.shape.dim)
    return f"{value.name} {_TYPES[tensor.elem_type]} [{', '.join(sizes)}]"
