# SPDX-License-Identifier: MIT
"""Attention over the records of a history as nodes of an ONNX graph: `HistoryNetwork`, padded.

Every history has room for all records, so that all sizes but the batch are fixed. Records need not
be moved together: each is given the position that it has among those that are there.
"""

from regretless.networks.history_shape import HistoryShape
from regretless.networks.onnx_nodes import Layers, Nodes

_UNSEEN = -1e30  # a score that no softmax sees


def read_history(layers: Layers, shape: HistoryShape, histories: str) -> str:
    """From [batch, records * record] to what they say, [batch, outputs]."""
    nodes = layers.nodes
    sizes = nodes.integers([0, shape.records, shape.record])  # 0: as many as come in
    records = nodes.add("Reshape", [histories, sizes])
    there = _there(nodes, shape, records)
    hidden = layers.linear_of_each("history.record", records)
    hidden = nodes.add("Add", [hidden, _positions(layers, there)])
    seen = nodes.add("Unsqueeze", [there, nodes.integers([1, 2])])  # [batch, 1, 1, records]
    for number in range(shape.layers):
        hidden = _layer(layers, f"history.layers.{number}", shape, hidden, seen)
    return _told(layers, hidden, there)


def _there(nodes: Nodes, shape: HistoryShape, records: str) -> str:
    """Which records are there, [batch, records]."""
    ends = [nodes.integers([1]), nodes.integers([shape.record - 1]), nodes.integers([2])]
    deeds = nodes.add("Slice", [records, *ends])
    return nodes.add("Greater", [nodes.sum(deeds, 2, keep=False), nodes.number(0.0)])


def _positions(layers: Layers, there: str) -> str:
    """[batch, records, width]: by how many are there before."""
    nodes = layers.nodes
    counts = nodes.add("CumSum", [_whole(nodes, there), nodes.integer(1)])
    places = nodes.add("Sub", [counts, nodes.integers([1])])
    places = nodes.add("Max", [places, nodes.integers([0])])  # of those that are not there
    return nodes.add("Gather", [layers.parameter("history.positions"), places], axis=0)


def _layer(layers: Layers, name: str, shape: HistoryShape, hidden: str, seen: str) -> str:
    nodes = layers.nodes
    mixed = _attended(nodes, shape, layers.linear_of_each(f"{name}.attention", hidden), seen)
    mixed = nodes.add("Add", [hidden, layers.linear_of_each(f"{name}.mixing", mixed)])
    hidden = layers.norm(f"{name}.mixing_norm", mixed)
    wide = nodes.add("Relu", [layers.linear_of_each(f"{name}.widening", hidden)])
    narrow = nodes.add("Add", [hidden, layers.linear_of_each(f"{name}.narrowing", wide)])
    return layers.norm(f"{name}.narrowing_norm", narrow)


def _attended(nodes: Nodes, shape: HistoryShape, numbers: str, seen: str) -> str:
    """[batch, records, 3 * width] to [batch, records, width]."""
    width = shape.width // shape.heads  # of a head
    sizes = nodes.integers([0, shape.records, shape.heads, width])
    parts = [
        nodes.add("Reshape", [part, sizes]) for part in nodes.split(numbers, [shape.width] * 3, 2)
    ]
    orders = (
        [0, 2, 1, 3],
        [0, 2, 3, 1],
        [0, 2, 1, 3],
    )  # [batch, heads, records, width], keys apart
    queries, keys, values = (
        nodes.add("Transpose", [part], perm=order)
        for part, order in zip(parts, orders, strict=True)
    )
    scores = nodes.add("Mul", [nodes.add("MatMul", [queries, keys]), nodes.number(width**-0.5)])
    scores = nodes.add("Where", [seen, scores, nodes.number(_UNSEEN)])
    shares = nodes.add("Softmax", [scores], axis=-1)
    mixed = nodes.add("Transpose", [nodes.add("MatMul", [shares, values])], perm=[0, 2, 1, 3])
    return nodes.add("Reshape", [mixed, nodes.integers([0, shape.records, shape.width])])


def _told(layers: Layers, hidden: str, there: str) -> str:
    """Of the mean over the records that are there; zeros without any."""
    nodes = layers.nodes
    mask = nodes.add("Unsqueeze", [there, nodes.integers([2])])  # [batch, records, 1]
    kept = nodes.add("Where", [mask, hidden, nodes.number(0.0)])
    lengths = nodes.sum(nodes.add("Where", [there, nodes.number(1.0), nodes.number(0.0)]))
    divisors = nodes.add("Max", [lengths, nodes.number(1.0)])
    means = nodes.add("Div", [nodes.sum(kept, 1, keep=False), divisors])
    told = layers.norm("history.output_norm", layers.linear("history.output", means))
    is_any = nodes.add("Greater", [lengths, nodes.number(0.0)])
    return nodes.add("Where", [is_any, nodes.add("Relu", [told]), nodes.number(0.0)])


def _whole(nodes: Nodes, flags: str) -> str:
    return nodes.add("Where", [flags, nodes.integers([1]), nodes.integers([0])])
