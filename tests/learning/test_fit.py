# SPDX-License-Identifier: MIT
"""Fits: one machine for any network, loss and buffer, with the draws of ReBeL as well."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from regretless.buffers import Column, Ring
from regretless.learning.fit import Fit, FitConfig
from regretless.learning.minibatches import Rows, indexed_minibatches
from regretless.watch import Stopped, Watch

COLUMNS = (
    Column("state", "int32"),
    Column("ranges", "float32", (2, 3)),
    Column("value", "float32"),
)
TABLE = torch.rand((5, 4), generator=torch.Generator().manual_seed(1))
DEVICES = [
    "cpu",
    pytest.param("cuda", marks=pytest.mark.gpu),
]


class Beliefs(nn.Module):
    """A network whose features come from a table of states."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(10, 1)
        self.register_buffer("table", TABLE.clone(), persistent=False)
        with torch.no_grad():
            for each in self.parameters():
                each.copy_(torch.linspace(-1, 1, each.numel()).reshape(each.shape))

    def forward(self, states: Tensor, ranges: Tensor) -> Tensor:
        features = self.table[states.long()]
        found: Tensor = self.layer(torch.cat([features, ranges.flatten(1)], dim=1))
        return found[:, 0]


def squared_error(network: Beliefs, rows: Rows) -> Tensor:
    return (network(rows["state"], rows["ranges"]) - rows["value"]).square().mean()


def filled(count: int = 300, capacity: int = 200) -> Ring:
    random, ring = np.random.default_rng(3), Ring(COLUMNS, capacity)
    ring.add(
        {
            "state": random.integers(5, size=count).astype(np.int32),
            "ranges": random.random((count, 2, 3), np.float32),
            "value": random.random(count, np.float32),
        }
    )
    return ring


def make(device: str = "cpu", **options: Any) -> Fit[Beliefs]:
    config = FitConfig(steps=20, batch=16, learning_rate=1e-2, final_rate=1.0, clip=5.0)
    return Fit("values", Beliefs(), config, torch.device(device), **options)


def test_steps_by_hand() -> None:
    """Indices are drawn by torch for all steps at once; the average follows the weights."""
    ring, fit = filled(), make(minibatches=indexed_minibatches, tau=0.25)
    found = [fit.fit(squared_error, ring, seed, rate=0.5) for seed in (7, 8)]
    network, average = Beliefs(), Beliefs()
    optimizer = torch.optim.Adam(network.parameters(), lr=5e-3, fused=True)
    for seed, loss in zip((7, 8), found, strict=True):
        draws, total = torch.Generator().manual_seed(seed), 0.0
        for chosen in torch.randint(200, (20, 16), generator=draws):
            rows = ring.get(chosen.numpy())
            states = torch.from_numpy(rows[:, :4].copy().view(np.int32)[:, 0])
            ranges = torch.from_numpy(rows[:, 4:28].copy().view(np.float32).reshape(-1, 2, 3))
            values = torch.from_numpy(rows[:, 28:].copy().view(np.float32)[:, 0])
            error = (network(states, ranges) - values).square().mean()
            optimizer.zero_grad()
            error.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
            total += float(error.detach())
            with torch.no_grad():
                for mine, theirs in zip(average.parameters(), network.parameters(), strict=True):
                    mine.lerp_(theirs, 0.25)
        assert loss == pytest.approx(total / 20, rel=1e-5)
    for fitted, by_hand in ((fit.network, network), (fit.target, average)):
        for mine, theirs in zip(fitted.parameters(), by_hand.parameters(), strict=True):
            torch.testing.assert_close(mine, theirs, rtol=0, atol=0)


@pytest.mark.parametrize("device", DEVICES)
def test_a_fit_goes_on_from_its_state(device: str) -> None:
    ring, steady, resumed = filled(), make(device, tau=0.1), make(device, tau=0.1)
    steady.fit(squared_error, ring, 1)
    resumed.restore(steady.state())
    ring.add({name: each[:9] for name, each in ring.sample(1, 1, 9).items()})
    assert steady.fit(squared_error, ring, 2) == resumed.fit(squared_error, ring, 2)
    assert "values/adam/0/exp_avg" in steady.state()
    for name, array in steady.state().items():
        assert array.tobytes() == resumed.state()[name].tobytes(), name


@pytest.mark.parametrize("device", DEVICES)
def test_a_stopped_fit_has_changed_nothing(device: str) -> None:
    ring, fit = filled(), make(device, tau=0.1)
    fit.fit(squared_error, ring, 1)
    before = fit.state()
    looks = iter([True])
    with pytest.raises(Stopped):
        fit.fit(squared_error, ring, 2, watch=Watch(lambda: next(looks)))
    for name, array in fit.state().items():
        assert array.tobytes() == before[name].tobytes(), name


@pytest.mark.parametrize("device", DEVICES)
def test_another_loss_is_another_fit(device: str) -> None:
    """A captured step does not outlive its loss."""
    ring, fit = filled(), make(device)
    fit.fit(squared_error, ring, 1)
    before = fit.state()
    assert fit.fit(lambda network, rows: 0 * squared_error(network, rows), ring, 1) == 0
    fit.undo(before)
    assert fit.fit(squared_error, ring, 1) > 0
