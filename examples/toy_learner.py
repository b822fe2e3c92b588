# SPDX-License-Identifier: MIT
"""A learner of a hundred lines: Monte Carlo fictitious self-play with two networks.

    python examples/toy_learner.py --output runs/toy
    regretless match runs/toy caller
    regretless play runs/toy
    regretless evaluate runs/toy

A seat plays a best response in one episode of five, else the average of its best responses so far
(Heinrich and Silver, 2016, with what an episode paid in place of Q-learning). The values of slots
are learned from the newest steps, the average from a sample of all best responses ever made.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

import regretless as rl
from regretless.buffers import Column, Reservoir, Ring
from regretless.bundles.bundle import BundleFacts
from regretless.bundles.bundle_manifest import AlgorithmFacts
from regretless.inference.network_policy import NetworkPolicy
from regretless.learning.minibatches import minibatches
from regretless.networks.expansion import Expansion
from regretless.networks.network import Network, network_weights, shares
from regretless.networks.mlp import MlpShape

ENCODER, WIDTHS, BATCH, CPU = "slots12", (64, 64), 512, torch.device("cpu")
EPSILON = 0.1  # of a best response is uniform, so that every slot is tried


class Learner:
    def __init__(self, game, seed: int) -> None:
        self.game, self.seed, self.fits = game, seed, 0
        self.encoder = rl.load_encoder(ENCODER, game)
        self.expand = Expansion(self.encoder)
        self.values, self.average = (self.network(head) for head in ("values", "probabilities"))
        parameters = [*self.values.parameters(), *self.average.parameters()]
        self.optimizer = torch.optim.Adam(parameters, lr=1e-3)
        row = Column("row", "uint8", (self.encoder.row_bytes,))
        slot = Column("slot", "int64")
        self.newest = Ring([row, slot, Column("won", "float32")], 100_000)
        legal = Column("legal", "bool", (game.num_actions,))
        self.responses = Reservoir([row, slot, legal], 500_000, seed=seed)
        self.job = rl.SelfPlay(game, tables=512, seed=seed, encoders=[ENCODER], record_rows=True)

    def network(self, head: str) -> Network:
        inputs, outputs = self.encoder.num_features, self.game.num_actions
        shape = MlpShape(inputs=inputs, widths=WIDTHS, outputs=outputs, head=head)
        return Network(shape, torch.Generator().manual_seed(self.seed))

    def responds(self, episodes: np.ndarray, actors: np.ndarray) -> np.ndarray:
        """Whether a seat plays its best response in an episode: in one of five."""
        numbers = (8 * episodes + actors.astype(np.int64)).astype(np.uint64)
        return (numbers * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)) % np.uint64(5) == 0

    @torch.no_grad()
    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            questions = self.job.ask()
            legal = torch.as_tensor(questions.legal.copy())
            features = self.expand(torch.as_tensor(questions.rows(ENCODER).copy()))
            uniform = legal / legal.sum(1, keepdim=True)
            best = shares("values", self.values(features), legal)
            best = (1 - EPSILON) * best + EPSILON * uniform
            average = shares("probabilities", self.average(features), legal)
            mine = torch.as_tensor(self.responds(questions.episodes, questions.actors))
            self.job.answer(torch.where(mine[:, None], best, average).numpy())

    def keep(self) -> None:
        steps = self.job.take_steps()
        episodes, actors = steps.episodes - steps.first_episode, steps.actors
        rows, slots = steps.rows(ENCODER), steps.slots.astype(np.int64)
        won = steps.payoffs[episodes, actors].astype(np.float32) / np.float32(self.game.unit)
        self.newest.add({"row": rows, "slot": slots, "won": won})
        mine = self.responds(steps.episodes, actors)
        self.responses.add({"row": rows[mine], "slot": slots[mine], "legal": steps.legal[mine]})

    def fit(self, times: int) -> None:
        numbers = range(self.fits, self.fits + times)
        self.fits += times
        newest = minibatches(self.newest, self.seed, numbers, BATCH, CPU)
        responses = minibatches(self.responses, self.seed + 1, numbers, BATCH, CPU)
        for new, old in zip(newest, responses, strict=True):
            told = self.values(self.expand(new["row"])).gather(1, new["slot"][:, None])[:, 0]
            logits = self.average(self.expand(old["row"])).masked_fill(~old["legal"], -torch.inf)
            loss = torch.nn.functional.mse_loss(told, new["won"])
            loss = loss + torch.nn.functional.cross_entropy(logits, old["slot"])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def policy(self) -> NetworkPolicy:
        return NetworkPolicy(network_weights([self.average]), self.encoder, "toy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--rounds", type=int, default=160)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("runs/toy"))
    options = parser.parse_args()
    torch.set_num_threads(1)  # the networks are small
    learner = Learner(rl.load_game(options.game), options.seed)
    for number in range(1, options.rounds + 1):
        learner.play(40)
        learner.keep()
        learner.fit(60)
        if number % 20 == 0:
            found = rl.evaluate(learner.policy(), learner.game).measures[0]
            print(f"round {number}: {found.measure} {found.value:.3f} {found.unit}", flush=True)
    facts = BundleFacts(AlgorithmFacts(name="toy", iterations=options.rounds, seed=options.seed))
    print(rl.write_policy(options.output, learner.game, learner.policy(), facts).path)


if __name__ == "__main__":
    main()
