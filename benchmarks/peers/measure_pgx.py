# SPDX-License-Identifier: MIT
"""pgx: random Leduc decisions of 2,048 tables in lockstep, many steps inside one compiled call.

jax is imported after the process is pinned, so that its threads stay on that core. The older
threefry bits are the fastest of its generators here.
"""

import os

from stopwatch import Timing, Work, main

BATCH_SIZE = 2048
NUM_STEPS = 64


def prepare_decisions() -> Work:
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_threefry_partitionable", False)
    environment = pgx.make("leduc_holdem")
    step = jax.vmap(auto_reset(environment.step, environment.init))

    def decide(carry: tuple, _: None) -> tuple:
        states, key = carry
        key, action_key, step_key = jax.random.split(key, 3)
        actions = act_randomly(action_key, states.legal_action_mask)
        states = step(states, actions, jax.random.split(step_key, BATCH_SIZE))
        return (states, key), states.rewards

    @jax.jit
    def play_steps(carry: tuple) -> tuple:
        carry, rewards = jax.lax.scan(decide, carry, None, length=NUM_STEPS)
        return carry, rewards.sum(axis=0)

    key = jax.random.key(0)
    carry = jax.vmap(environment.init)(jax.random.split(key, BATCH_SIZE)), key

    def play() -> int:
        nonlocal carry
        carry, rewards = play_steps(carry)
        rewards.block_until_ready()
        return NUM_STEPS * BATCH_SIZE

    play()  # Compiles.
    return play


if __name__ == "__main__":
    main("pgx", {"leduc_selfplay": Timing(prepare_decisions, "decisions/s")})
