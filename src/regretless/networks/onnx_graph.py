# SPDX-License-Identifier: MIT
"""Networks as an ONNX graph that follows from their shape, and their parameters read from a graph.

Equal networks give equal graphs. A reader takes the parameters out, writes the graph again and
compares, so that a graph from outside is never run.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto, helper

from regretless.errors import InputError
from regretless.networks.onnx_nodes import GraphLayers, Nodes
from regretless.networks.shape import NetworkShape, NetworkWeights

OPSET, IR_VERSION = 17, 8  # the first with LayerNormalization, and the format of its time
FEATURES, LEGAL, SEAT = "features", "legal", "seat"
OUTPUTS, PROBABILITIES = "outputs", "probabilities"
_GRAPH = "regretless"
_BATCH = "batch"
_MOST_OUTPUT, _LEAST_TOTAL = 1e30, 1e-30  # as in network.py
_TYPES: dict[int, str] = {
    TensorProto.FLOAT: "float32",
    TensorProto.BOOL: "bool",
    TensorProto.INT64: "int64",
}

_WIDTHS: dict[int, int] = {TensorProto.FLOAT: 4, TensorProto.BFLOAT16: 2}  # bytes of a weight


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
