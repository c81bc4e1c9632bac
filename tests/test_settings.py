"""Settings from the environment, and what Celery is told."""

import pytest

from worker.app import Settings, celery_settings, hard_limit_s


def test_without_variables_there_are_defaults() -> None:
    settings = Settings.from_environment({})

    assert settings == Settings()
    assert (settings.keep_s, settings.budget_s, settings.lease_s, settings.events) == (7 * 86400, 20, 5, False)


def test_variables_are_read_and_empty_ones_count_as_unset() -> None:
    environment = {
        "GRIDMILL_BROKER": "redis://h",
        "GRIDMILL_KEEP_S": "60",
        "GRIDMILL_BUDGET_S": "0.5",
        "GRIDMILL_LEASE_S": "",
        "GRIDMILL_EVENTS": "1",
        "GRIDMILL_UNKNOWN": "x",
        "KEEP_S": "1",
    }

    settings = Settings.from_environment(environment)

    assert settings == Settings(broker="redis://h", keep_s=60, budget_s=0.5, events=True)


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "a week", "1 s"])
def test_a_number_that_is_none_is_refused_by_the_name_of_its_variable(text: str) -> None:
    with pytest.raises(ValueError, match=r"GRIDMILL_KEEP_S=.*seconds above 0"):
        Settings.from_environment({"GRIDMILL_KEEP_S": text})


@pytest.mark.parametrize(("text", "value"), [("1", True), ("yes", True), ("ON", True), ("0", False), ("No", False)])
def test_a_switch_is_read(text: str, value: bool) -> None:
    assert Settings.from_environment({"GRIDMILL_EVENTS": text}).events is value


def test_a_switch_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="GRIDMILL_EVENTS='maybe'"):
        Settings.from_environment({"GRIDMILL_EVENTS": "maybe"})


def test_celery_gives_back_what_a_dead_process_held_and_takes_json_alone() -> None:
    told = celery_settings(Settings())

    assert told["task_acks_late"] is True
    assert told["task_reject_on_worker_lost"] is True
    assert told["worker_prefetch_multiplier"] == 1
    assert told["accept_content"] == ["json"]
    assert told["result_backend"] is None
    assert told["task_ignore_result"] is True


def test_events_switch_on_remote_control_too() -> None:
    for events in (False, True):
        told = celery_settings(Settings(events=events))
        assert told["worker_enable_remote_control"] is events
        assert told["worker_send_task_events"] is events


def test_the_hard_limit_lies_behind_the_budget_and_before_the_visibility_timeout() -> None:
    settings = Settings()

    limit_s = hard_limit_s(settings, 100, None)

    assert limit_s is not None
    assert settings.budget_s < limit_s < settings.visibility_s


def test_a_puzzle_alone_in_its_chunk_has_no_limit() -> None:
    settings = Settings(budget_s=20, visibility_s=120)

    assert hard_limit_s(settings, 1, None) is None
    assert hard_limit_s(settings, 1, 0) == 50
    assert hard_limit_s(settings, 1, 10_000_000) == 10_050
