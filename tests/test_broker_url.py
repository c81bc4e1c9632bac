"""The broker's address in all its forms, and no password in any message."""

from pathlib import Path
from urllib.parse import quote

import pytest
from kombu import Connection

from solver_core.errors import BrokerError
from worker.broker import celery_url, connect, has_password, is_socket, read_url, without_password

NASTY = "p@:/#%?&=+ü w"
SECRET = quote(NASTY, safe="")


def redis_side(url: str) -> dict[str, object]:
    return dict(connect(url).connection_pool.connection_kwargs)


def celery_side(url: str) -> dict[str, object]:
    connection = Connection(celery_url(url))
    return {
        "hostname": connection.hostname,
        "port": connection.port,
        "userid": connection.userid,
        "password": connection.password,
        "virtual_host": connection.virtual_host,
    }


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1",
        "redis://127.0.0.1:6379/0",
        f"redis://:{SECRET}@host:6380/3",
        f"rediss://user:{SECRET}@host/1",
        "redis://[::1]:6379/0",
        "unix:///run/redis.sock",
        f"unix://:{SECRET}@/run/redis.sock?db=2",
        f"redis+socket://:{SECRET}@/run/redis.sock?virtual_host=2",
    ],
)
def test_a_url_that_is_fit_is_taken_as_it_is(url: str) -> None:
    assert read_url(url) == url


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_nasty_passwords_come_out_whole_on_both_sides(scheme: str) -> None:
    url = f"{scheme}://me:{SECRET}@broker.example:6380/3"

    ours, celerys = redis_side(url), celery_side(url)

    assert (ours["username"], ours["password"], ours["host"], ours["port"], ours["db"]) == (
        "me",
        NASTY,
        "broker.example",
        6380,
        3,
    )
    assert (celerys["userid"], celerys["password"], celerys["hostname"], celerys["port"]) == (
        "me",
        NASTY,
        "broker.example",
        6380,
    )
    assert str(celerys["virtual_host"]).strip("/") == "3"


@pytest.mark.parametrize(
    "url", [f"unix://:{SECRET}@/run/a b/r.sock?db=2", f"redis+socket://:{SECRET}@/run/a b/r.sock?virtual_host=2"]
)
def test_a_socket_has_its_own_form_on_each_side(url: str) -> None:
    ours = redis_side(url)

    assert is_socket(url)
    assert (ours["path"], ours["password"], int(str(ours["db"]))) == ("/run/a b/r.sock", NASTY, 2)
    assert celery_url(url) == f"redis+socket://:{SECRET}@/run/a b/r.sock?virtual_host=2"


def test_tls_checks_certificates_unless_told_otherwise() -> None:
    assert celery_url("rediss://host/0") == "rediss://host/0?ssl_cert_reqs=required"
    assert celery_url("rediss://host/0?ssl_cert_reqs=none") == "rediss://host/0?ssl_cert_reqs=none"


def test_a_url_may_lie_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "url"
    file.write_text("\n redis://:secret@host:1/0 \n")

    assert read_url(f"@{file}") == "redis://:secret@host:1/0"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"redis://\xe4")

    with pytest.raises(BrokerError, match=r"nofile: No such file"):
        read_url(f"@{tmp_path}/nofile")
    with pytest.raises(BrokerError, match="not UTF-8"):
        read_url(f"@{tmp_path}/latin")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "host:6379",
        "http://:secret@host",
        "amqp://guest:secret@host//",
        "redis://",
        "redis://:secret@",
        "redis://:secret@:6379/0",
        "redis://:secret@host:port/0",
        "redis://:secret@host:99999/0",
        "redis://:secret@host/zero",
        "redis://:sec#ret@host/0",
        "redis://:sec/ret@host/0",
        "redis://[::1/0",
        "unix://",
        "redis+socket://:secret@",
    ],
)
def test_a_url_that_is_not_fit_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(BrokerError) as refused:
        read_url(url)

    assert "broker's URL" in str(refused.value)
    assert "sec" not in str(refused.value)
    assert "ret" not in str(refused.value)
    assert refused.value.__context__ is None or refused.value.__suppress_context__


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"redis://me:{SECRET}@host:6380/3", "redis://host:6380/3"),
        ("redis://host:6380/3", "redis://host:6380/3"),
        (f"unix://:{SECRET}@/run/r.sock?db=2", "unix:///run/r.sock?db=2"),
        ("redis://a:b@c@host/0", "redis://host/0"),
    ],
)
def test_a_url_is_shown_without_user_and_password(url: str, shown: str) -> None:
    assert without_password(url) == shown


def test_a_password_in_a_url_is_noticed() -> None:
    assert has_password(f"redis://:{SECRET}@host/0")
    assert not has_password("redis://me@host/0")
    assert not has_password("redis://host/0")
