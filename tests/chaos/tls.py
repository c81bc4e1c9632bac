"""A door with TLS in front of a broker that has none, and the private CA that vouches for it."""

import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from typing import Self

import pytest

_BYTES = 1 << 16


def make_certificates(folder: Path) -> tuple[Path, Path, Path]:
    """Returns a CA's certificate, and certificate and key for `localhost` that it has signed."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl here to make certificates with")
    ca, ca_key, request = folder / "ca.pem", folder / "ca.key", folder / "server.csr"
    certificate, key, names = folder / "server.pem", folder / "server.key", folder / "names.txt"
    names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    new = [openssl, "req", "-newkey", "rsa:2048", "-nodes"]
    steps = [
        [*new, "-x509", "-days", "2", "-subj", "/CN=a private CA", "-keyout", str(ca_key), "-out", str(ca)],
        [*new, "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(request)],
        [openssl, "x509", "-req", "-days", "2", "-in", str(request), "-CA", str(ca), "-CAkey", str(ca_key)],
    ]
    steps[-1] += ["-CAcreateserial", "-extfile", str(names), "-out", str(certificate)]
    for step in steps:
        subprocess.run(step, check=True, capture_output=True)
    return ca, certificate, key


class TlsDoor:
    """Takes TLS connections on `port` and passes them on in the clear to `target_port` of this machine."""

    def __init__(self, target_port: int, certificate: Path, key: Path) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._target_port = target_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.passed = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            near = self._context.wrap_socket(plain, server_side=True)
        except OSError:  # the other side does not trust us
            plain.close()
            return
        far = socket.create_connection(("127.0.0.1", self._target_port))
        self.passed += 1
        threading.Thread(target=_pump, args=(near, far), daemon=True).start()
        _pump(far, near)


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError), source, target:
        while data := source.recv(_BYTES):
            target.sendall(data)
