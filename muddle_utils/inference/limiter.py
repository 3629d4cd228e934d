"""How many requests a provider bears at once: halved when it says "too many", grown while answers come.

The pause that a provider asks for holds for all requests to it. One event loop only; nothing here sends anything.
"""

import asyncio
import contextlib
import random
import time
from collections import deque
from collections.abc import AsyncIterator


class Limiter:
    """How many requests one account may have under way, adapted to what it says (additive increase, halving).

    ``most`` is never exceeded. The pause that a provider asks for holds for all its requests. One event loop only.
    """

    def __init__(self, most: int) -> None:
        """Begin with ``most`` requests at once."""
        self.most = most
        self.limit = float(most)
        self.under_way = 0
        self.resume_at = 0.0
        self.reached = False
        self.stopped = False
        self._cut_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold one of the places, from when one is free and no pause is asked for."""
        if self._waiting or self.under_way >= int(self.limit):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.under_way -= 1
                    self._wake()
                raise
        else:
            self.under_way += 1
        try:
            # The pause may be made longer while it is waited for.
            waited = 0.0
            while not self.stopped and self.resume_at > waited:
                waited = self.resume_at
                await self.wait(waited - time.monotonic())
            yield
        finally:
            self.under_way -= 1
            self._wake()

    def _wake(self) -> None:
        free = int(self.limit) - self.under_way
        while self._waiting and free > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                # The place is its own from now on: nobody who comes later can take it.
                self.under_way += 1
                turn.set_result(None)
                free -= 1

    async def wait(self, seconds: float) -> None:
        """Sleep so long, with jitter on top so that not all wake at once; cut short when the stage stops."""
        # Jitter only spreads requests in time; it shapes no result, so it needs no seed.
        until = time.monotonic() + seconds + random.uniform(0.0, 0.1) * min(max(seconds, 0.0), 30.0)
        while not self.stopped and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 1.0))

    def slow_down(self, started: float, told: float | None) -> None:
        """Take note of "too many requests": halve, once for all requests begun before the last cut; pause as told."""
        if started > self._cut_at:
            self.limit = max(1.0, self.limit / 2)
            self._cut_at = time.monotonic()
        if told:
            self.resume_at = max(self.resume_at, time.monotonic() + told)

    def speed_up(self) -> None:
        """Take note of a reply: one place more once all places have had one."""
        self.reached = True
        self.limit = min(float(self.most), self.limit + 1 / self.limit)
        self._wake()

    def stop(self) -> None:
        """Let nobody wait any longer: the stage ends."""
        self.stopped = True
