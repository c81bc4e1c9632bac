"""The broker's address: one URL in, the forms that Celery and redis-py want out, and a client made from it."""

from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from solver_core.errors import BrokerError

_TCP = ("redis", "rediss")
_SOCKET = ("unix", "redis+socket")
_UNREADABLE = "the broker's URL cannot be read; in a password write @ : / # % as %40 %3A %2F %23 %25"


def read_url(text: str) -> str:
    """Returns the broker URL that `text` is or, as `@FILE`, names.

    Raises:
        BrokerError: the file cannot be read, or the URL is no broker's. The message never shows a password.
    """
    if text.startswith("@"):
        try:
            text = Path(text[1:]).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise BrokerError(f"cannot read the broker's URL from {text[1:]}: {reason}") from None
    parts = _split(text)
    if parts.scheme not in _TCP + _SOCKET:
        raise BrokerError("the broker's URL must begin with redis://, rediss://, unix:// or redis+socket://")
    database = parts.path.strip("/")
    tcp_is_fit = parts.hostname and (not database or database.isdigit())
    if parts.fragment or not (parts.path if parts.scheme in _SOCKET else tcp_is_fit):
        raise BrokerError(_UNREADABLE)
    return text


def has_password(url: str) -> bool:
    """Whether the URL itself holds a password."""
    return bool(_split(url).password)


def without_password(url: str) -> str:
    """Returns the URL as it may be shown: user and password left out."""
    return _joined(_split(url), netloc=_split(url).netloc.rpartition("@")[2])


def celery_url(url: str) -> str:
    """Returns the URL in Celery's form: `redis+socket://...?virtual_host=DB` for a socket; TLS checks certificates."""
    parts = _split(url)
    if parts.scheme == "rediss" and "ssl_cert_reqs" not in parts.query:
        return _joined(parts, query="&".join(filter(None, [parts.query, "ssl_cert_reqs=required"])))
    return _socket_form(url, "redis+socket", {"db": "virtual_host"})


def connect(url: str, *, timeout_s: float = 30, retries: int = 1) -> redis.Redis:
    """Returns a client for the chunk store; nothing is sent until it is used.

    Blocking reads must stay well below `timeout_s`.
    """
    options = {} if is_socket(url) else {"socket_keepalive": True}
    return redis.Redis.from_url(
        _socket_form(url, "unix", {"virtual_host": "db"}),
        **options,
        socket_timeout=timeout_s,
        socket_connect_timeout=5,
        health_check_interval=15,
        retry=Retry(ExponentialBackoff(cap=1, base=0.05), retries),
    )


def is_socket(url: str) -> bool:
    """Whether the URL names a socket in the file system."""
    return _split(url).scheme in _SOCKET


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise BrokerError(_UNREADABLE) from None
    return parts


def _socket_form(url: str, scheme: str, renamed: dict[str, str]) -> str:
    if not is_socket(url):
        return url
    parts = _split(url)
    query = urlencode([(renamed.get(key, key), value) for key, value in parse_qsl(parts.query)])
    return _joined(parts, scheme=scheme, query=query)


def _joined(parts: SplitResult, **changed: str) -> str:
    # urlunsplit leaves the slashes out where there is no host.
    parts = parts._replace(**changed)
    return f"{parts.scheme}://{parts.netloc}{parts.path}" + (f"?{parts.query}" if parts.query else "")
