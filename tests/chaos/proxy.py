"""A TCP proxy that can do to a connection what networks do: swallow bytes without a word, cut, or delay them."""

import contextlib
import select
import socket
import struct
import threading
import time
from typing import Self

_BYTES = 1 << 16


class Proxy:
    """Listens on `port` and passes everything on to `target_port`, both on this machine.

    While `swallowing`, what arrives is read and thrown away, in both directions, and new connections are taken: to
    both ends everything looks connected, as behind a firewall that has forgotten them. These connections stay
    half-open for ever.
    """

    def __init__(self, target_port: int) -> None:
        self.swallowing = False
        self.delay_s = 0.0
        self.swallowed_bytes = 0
        self._target_port = target_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: set[tuple[socket.socket, socket.socket | None]] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> int:
        """Resets all connections; returns how many there were."""
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            for end in pair:
                if end:
                    with contextlib.suppress(OSError):
                        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        end.shutdown(socket.SHUT_RDWR)
        return len(pairs)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        lost = self.swallowing
        far: socket.socket | None = None
        try:
            if not lost:
                far = socket.create_connection(("127.0.0.1", self._target_port), timeout=5)
                far.settimeout(None)
        except OSError:
            near.close()
            return
        pair = (near, far)
        with self._lock:
            self._pairs.add(pair)
        try:
            self._pump(near, far, lost)
        finally:
            with self._lock:
                self._pairs.discard(pair)
            for end in pair:
                if end:
                    end.close()

    def _pump(self, near: socket.socket, far: socket.socket | None, lost: bool) -> None:
        other = {near: far, far: near}
        ends = [end for end in (near, far) if end]
        while True:
            ready, _, _ = select.select(ends, [], [], 0.5)
            lost = lost or self.swallowing
            for end in ready:
                try:
                    data = end.recv(_BYTES)
                except OSError:
                    return
                if lost:
                    self.swallowed_bytes += len(data)
                    if not data:
                        ends.remove(end)
                        if not ends:
                            return
                    continue
                if not data:
                    return
                time.sleep(self.delay_s)
                target = other[end]
                try:
                    if target:
                        target.sendall(data)
                except OSError:
                    return
