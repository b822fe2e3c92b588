# SPDX-License-Identifier: MIT
"""Environments for outside learners tell what the game does, and libraries take them."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

from regretless.environments.aec import AecEnv
from regretless.environments.self_play_env import SelfPlayEnv
from regretless.environments.vector_env import Env, VectorEnv
from regretless.errors import InputError
from regretless.games import load_game
from regretless.games.encoders import load_encoder
from regretless.seats.matches import match


def drawn(random: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    return (random.random(masks.shape) * masks).argmax(axis=-1)


@pytest.mark.parametrize("name", ["leduc", "nlhe", "liars-dice-1x4f"])
def test_self_play_tells_what_episodes_do(name: str) -> None:
    game, tables = load_game(name), 5
    env, random = SelfPlayEnv(game, tables, encoder="canonical24"), np.random.default_rng(2)
    encoder = load_encoder("canonical24", game)
    observations, info = env.reset(seed=7)
    episodes = {number: game.episode(7, number) for number in range(tables)}
    ended = 0
    for _ in range(60):
        for row, number in enumerate(info["episodes"].tolist()):
            episode = episodes.setdefault(number, game.episode(7, number))
            assert info["actors"][row] == episode.actor
            assert info["action_mask"][row].tolist() == list(map(int, episode.legal))
            expected = encoder.expand(encoder.row(episode)[None])[0]
            assert (observations[row] == expected).all()
        numbers, slots = info["episodes"], drawn(random, info["action_mask"])
        observations, rewards, over, cut, info = env.step(slots)
        for row, number in enumerate(numbers.tolist()):
            episodes[number].choose(int(slots[row]))
            assert over[row] == episodes[number].is_terminal and not cut[row]
            won = episodes[number].payoffs if over[row] else [0] * game.num_players
            assert np.allclose(rewards[row] * game.unit, won, atol=1e-3)
            ended += over[row]
    assert ended > 10 and rewards.shape == (tables, game.num_players)


def test_what_comes_does_not_depend_on_tables_or_threads() -> None:
    """Returns the record of every episode, whatever is in flight beside it."""
    found = []
    for tables, threads in ((3, 1), (64, 2)):
        env = SelfPlayEnv("leduc", tables, threads=threads, seed=4)
        _, info = env.reset()
        won: dict[int, list[float]] = {}
        while len(won) < 120:
            numbers = info["episodes"].copy()
            _, rewards, over, _, info = env.step(np.ones(tables, np.int64))
            won |= {n: rewards[row].tolist() for row, n in enumerate(numbers) if over[row]}
        found.append([won[n] for n in range(60)])
    assert found[0] == found[1]


@pytest.mark.parametrize(("name", "players"), [("leduc", 2), ("nlhe", 2), ("kuhn", 3)])
def test_a_learner_that_calls_wins_what_the_caller_wins(name: str, players: int) -> None:
    """The sums over many episodes, those in which he is not asked included, as a match has them."""
    game = load_game(name, players=players)
    env = VectorEnv(game, "tight-aggressive", 512, seed=3)
    _, info = env.reset()
    won, episodes = info["unasked"].sum(), 0
    while episodes < 40_000:
        seats = (info["episodes"] % 512 + info["episodes"] // 512) % players
        assert (info["actors"] == seats).all()
        _, rewards, over, _, info = env.step(np.ones(512, np.int64))
        won += rewards.sum() + info["unasked"].sum()
        assert not rewards[~over].any()
        episodes = int(info["episodes"].min())
    mine = won / info["episodes"].mean()
    others = ["tight-aggressive"] * (players - 1)
    told = match("caller", *others, game=game, hands=60_000).players[0].won
    assert abs(mine - told.mean) < 3 * told.half_width


def test_seats_and_opponents() -> None:
    game = load_game("kuhn", players=3)
    env = VectorEnv(game, ["caller", "raiser"], 8, seat=1)
    _, info = env.reset(seed=1)
    for _ in range(20):
        assert (info["actors"] == 1).all()
        _, _, _, _, info = env.step(drawn(np.random.default_rng(1), info["action_mask"]))
    with pytest.raises(InputError, match="has 2 other seats, not 1"):
        VectorEnv(game, ["caller"])
    with pytest.raises(InputError, match="seat: must be 0 to 2"):
        VectorEnv(game, seat=3)
    with pytest.raises(InputError, match="did you mean 'caller'"):
        VectorEnv(game, "callr")


def test_bad_actions_are_refused_or_become_calls() -> None:
    for make in (SelfPlayEnv, lambda *a, **o: VectorEnv(a[0], "caller", a[1], **o)):
        env = make("leduc", 4)
        with pytest.raises(InputError, match="reset the environment"):
            env.step(np.zeros(4, np.int64))
        env.reset()
        for bad in ([0] * 4, [9] * 4, [-1] * 4, [-2] * 4):
            with pytest.raises(InputError, match="row 0: the slot is not legal"):
                env.step(np.array(bad))
        for bad in (np.zeros(3, int), np.zeros(4), np.zeros((4, 1), int)):
            with pytest.raises(InputError, match="must be whole numbers"):
                env.step(bad)
        kind, plain = make("leduc", 4, illegal="call", seed=2), make("leduc", 4, seed=2)
        kind.reset(), plain.reset()
        for each in zip(
            kind.step(np.array([0, 9, -1, 1])), plain.step(np.ones(4, int)), strict=True
        ):
            if not isinstance(each[0], dict):
                assert (each[0] == each[1]).all()
    with pytest.raises(InputError, match="illegal: no way"):
        SelfPlayEnv("leduc", 4, illegal="maybe")
    with pytest.raises(InputError, match="num_envs"):
        SelfPlayEnv("leduc", 0)


def test_one_table_is_reset_between_episodes() -> None:
    env, random = Env("leduc", "pot-odds"), np.random.default_rng(0)
    won, seats = [], set()
    for number in range(60):
        observation, info = env.reset(seed=5 if number == 0 else None)
        seats.add(int(info["actors"]))
        while True:
            assert (env.action_masks() == info["action_mask"]).all()
            observation, reward, over, cut, info = env.step(drawn(random, info["action_mask"]))
            assert not cut and isinstance(reward, float)
            if over:
                break
        won.append(reward)
        assert not observation.any() and not info["action_mask"].any()
        with pytest.raises(InputError, match="is over; reset"):
            env.step(1)
    assert len(set(won)) > 3 and seats == {0, 1}
    first, _ = env.reset(seed=5)
    env.reset()  # in the middle of an episode
    again, _ = env.reset(seed=5)
    assert (first == again).all()


def test_seats_take_turns() -> None:
    game, env = load_game("leduc"), AecEnv("leduc", seed=3)
    for index in range(20):
        env.reset()
        episode, random = game.episode(3, index), np.random.default_rng(index)
        total = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, cut, _ = env.last()
            total[agent] += reward
            if over or cut:
                env.step(None)
                continue
            assert agent == f"seat_{episode.actor}"
            slot = int(drawn(random, seen["action_mask"]))
            other = next(each for each in env.agents if each != agent)
            assert not env.observe(other)["observation"].any()
            env.step(slot)
            episode.choose(slot)
        assert list(total.values()) == [won / game.unit for won in episode.payoffs]
        assert env.agents == []
    with pytest.raises(InputError, match="is over; reset"):
        env.step(None)
    env.reset()
    for bad in (None, 0, 7, -2):
        with pytest.raises(InputError, match="seat_0: "):
            env.step(bad)


def test_nothing_of_gymnasium_is_needed() -> None:
    text = (
        "import sys; sys.modules['gymnasium'] = sys.modules['pettingzoo'] = None\n"
        "import importlib.util as u; f = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n in ('gymnasium', 'pettingzoo') else f(n, *a)\n"
        "from regretless import AecEnv, Env, SelfPlayEnv, VectorEnv\n"
        "import numpy as np\n"
        "for env in (SelfPlayEnv('leduc', 3), VectorEnv('leduc', 'caller', 3)):\n"
        "    env.reset(); env.step(np.ones(3, int))\n"
        "print(env.single_action_space.n, env.observation_space.shape)\n"
        "env = Env('leduc'); env.reset(seed=1); env.step(1)\n"
        "env = AecEnv('leduc'); env.reset(); env.step(1); print(env.agent_selection)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.stdout == "3 (3, 64)\nseat_1\n", done.stderr


@pytest.mark.parametrize("name", ["kuhn", "leduc", "nlhe", "liars-dice-1x4f"])
def test_gymnasium_checks_the_environment(name: str) -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    env = Env(name, "random", illegal="call")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*render.*|.*spec.*|.*`gymnasium.make`.*")
        check_env(env, skip_render_check=True)
    for encoder in ("slots12", "canonical24", "composition"):
        many = VectorEnv(name, "random", 32, encoder=encoder, illegal="call")
        many.action_space.seed(1)
        seen, _ = many.reset(seed=1)
        for _ in range(30):
            assert seen in many.observation_space
            seen = many.step(many.action_space.sample())[0]


def test_gymnasium_wrappers_take_the_vector_environment() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    env = VectorEnv("leduc", "caller", 16, illegal="call")
    assert isinstance(env, gymnasium.vector.VectorEnv) and isinstance(Env("leduc"), gymnasium.Env)
    recorded = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    recorded.reset(seed=2)
    for _ in range(20):
        recorded.step(np.ones(16, np.int64))
    assert len(recorded.return_queue) > 16 and set(recorded.length_queue) == {2}


@pytest.mark.parametrize("name", ["kuhn", "leduc", "nlhe"])
def test_pettingzoo_checks_the_table(name: str) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(AecEnv(name), num_cycles=200)
        seed_test(lambda: AecEnv(name), num_cycles=50)


@pytest.mark.slow
def test_a_learner_of_a_library_learns_kuhn() -> None:
    """Against one who always calls the best is to bet the king: 1/3 of an ante a hand."""
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from stable_baselines3.common.vec_env import DummyVecEnv

    envs = DummyVecEnv([lambda seed=seed: Env("kuhn", "caller", seed=seed) for seed in range(8)])
    learner = sb3_contrib.MaskablePPO(
        "MlpPolicy", envs, seed=1, n_steps=128, batch_size=256, learning_rate=3e-3, device="cpu"
    )
    learner.learn(8_000)
    env = VectorEnv("kuhn", "caller", 256, seed=9)
    seen, info = env.reset()
    won = episodes = 0
    for _ in range(60):
        slots, _ = learner.predict(seen, action_masks=info["action_mask"], deterministic=True)
        seen, rewards, over, _, info = env.step(slots)
        won, episodes = won + rewards.sum(), episodes + over.sum()
    assert won / episodes > 0.25  # who plays at random wins nothing
