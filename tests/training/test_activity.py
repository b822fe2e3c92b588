# SPDX-License-Identifier: MIT
"""activity.json: what a run is doing, for others to read while it trains."""

from pathlib import Path

import pytest

from regretless import train
from regretless.runs.activity import ACTIVITY, Activity, read_activity
from regretless.training.loop import Progress
from regretless.watch import UNWATCHED, Watch


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("regretless.runs.activity.time", made)
    return made


def test_it_is_written_at_most_twice_a_second(tmp_path: Path, clock: Clock) -> None:
    told: list[tuple[str, float | None]] = []
    with Activity(tmp_path, lambda: 12.34) as activity:
        assert activity.watching(UNWATCHED) is UNWATCHED
        watch = activity.watching(Watch(tell=lambda what, share: told.append((what, share))))
        activity.begin("training", 3)
        first = {"what": "training", "detail": "", "share": None, "step": 3, "seconds": 12.3}
        assert read_activity(tmp_path) == first
        clock.now += 0.4
        activity.begin_measure("baselines", 4)
        assert read_activity(tmp_path) == first  # too soon
        clock.now += 0.2
        watch.look("match against caller", 0.25)
        assert read_activity(tmp_path) == {
            "what": "measuring by matches against bots",
            "detail": "match against caller",
            "share": 0.25,
            "step": 4,
            "seconds": 12.3,
        }
        clock.now += 1.0
        activity.begin("saving", 4)  # a short line covers a long one
        found = read_activity(tmp_path)
        assert found is not None and found["what"] == "saving"
    assert told == [("match against caller", 0.25)]
    assert not (tmp_path / ACTIVITY).exists()


def test_what_cannot_be_read_is_nothing(tmp_path: Path) -> None:
    assert read_activity(tmp_path) is None
    strange = '{"what": "x", "detail": "", "share": 1, "step": "1", "seconds": 2}'
    for text in ("", "{", "[1]", '{"what": 3}', strange, "\xff"):
        (tmp_path / ACTIVITY).write_bytes(text.encode("latin-1"))
        assert read_activity(tmp_path) is None


def test_a_run_notes_it_and_leaves_nothing(tmp_path: Path) -> None:
    seen: list[str] = []

    def look(_: Progress) -> None:
        found = read_activity(tmp_path / "run")
        assert found is not None
        seen.append(found["what"])

    train(
        "kuhn_cfr",
        "budget={steps: 20}",
        "log.every_steps=10",
        f"output={tmp_path / 'run'}",
        report=look,
    )
    assert len(seen) == 2 and set(seen) <= {"training", "measuring the exploitability"}
    assert not (tmp_path / "run" / ACTIVITY).exists()
