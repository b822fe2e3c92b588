# SPDX-License-Identifier: MIT
"""Rows of an encoder per second that become features on a torch device."""

import argparse
import time
from collections.abc import Callable

import torch
from rich.console import Console
from rich.table import Table

from regretless import _native
from regretless.games import load_game
from regretless.games.encoders import ENCODERS, NEED_BUCKETS, load_encoder
from regretless.networks.expansion import Expansion

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch", type=int, default=1 << 18)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--compile", action="store_true", help="by torch.compile as well")
    arguments = parser.parse_args()
    headings = ("encoder", "players", "bytes", "features", "dtype", "M rows/s", "GB/s out")
    table = Table(*headings, box=None)
    for players in (2, 6):
        game = load_game("nlhe", players=players)
        for name in sorted(ENCODERS.keys() - NEED_BUCKETS):
            encoder = load_encoder(name, game)
            rows = played_rows(game, name, arguments.batch).to(arguments.device)
            for dtype_name, dtype in DTYPES.items():
                expansion = Expansion(encoder, dtype).to(arguments.device)
                ways = {dtype_name: expansion}
                if arguments.compile:
                    ways[f"{dtype_name}, compiled"] = torch.compile(expansion)
                for way, expand in ways.items():
                    found = rate(expand, rows, arguments.seconds)
                    written = found * encoder.num_features * torch.finfo(dtype).bits / 8
                    sizes = (str(players), str(encoder.row_bytes), str(encoder.num_features))
                    figures = (f"{found / 1e6:,.1f}", f"{written / 1e9:,.0f}")
                    table.add_row(name, *sizes, way, *figures)
    Console(width=100).print(table)


def played_rows(game: object, name: str, count: int) -> torch.Tensor:
    """Rows of random play, at all streets."""
    job = _native.SelfPlay(game, tables=2048, encoders=[name], record_rows=True)
    pieces, found = [], 0
    while found < count:
        questions = job.ask()
        assert questions is not None
        job.answer(questions.legal.astype("float32"))
        pieces.append(torch.as_tensor(job.take_steps().rows(name).copy()))
        found += len(pieces[-1])
    return torch.cat(pieces)[:count]


@torch.no_grad()
def rate(
    expansion: Callable[[torch.Tensor], torch.Tensor], rows: torch.Tensor, seconds: float
) -> float:
    """Rows per second, once warm."""
    for _ in range(3):
        expansion(rows)
    synchronize(rows)
    start, times = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        for _ in range(10):
            expansion(rows)
        synchronize(rows)
        times += 10
    return times * len(rows) / (time.perf_counter() - start)


def synchronize(rows: torch.Tensor) -> None:
    if rows.is_cuda:
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
