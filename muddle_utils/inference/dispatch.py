"""Many requests at once: as many as each provider bears, within the budget, and never in silence.

Every account (a provider, or a server of one's own) has a ``Limiter``: its number of requests under way halves when
the provider says that there are too many, grows again while answers come, and stands still for as long as it is told
to. ``work_through`` takes the items of a stage through it; an item's payload exists only while its turn lasts.

What one request is, and what came of it, is ``client``'s.
"""

import asyncio
import datetime
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from tqdm import tqdm

from muddle_utils.inference.client import UNSENT, Reply
from muddle_utils.inference.errors import FATAL, FAULTS, LASTING, TRANSIENT
from muddle_utils.inference.limiter import Limiter
from muddle_utils.study.errors import MuddleError

Item = TypeVar("Item")

# Seconds without any reply after which the stage says that it still lives.
HEARTBEAT: Final = 60.0
# So many first replies of an account that are all the same fault: the settings are wrong, not the requests.
BREAKER: Final = 10
# Seconds between the starts of two workers: prepared and sent all at once, each request would wait for all others, and
# the provider would get them in bursts for as long as the stage lasts.
STAGGER: Final = 0.01
# Seconds between two looks at what requests under way have cost.
_SETTLING: Final = 0.02
_BREAKING: Final = ("bad_request", "unreadable", "server_error", "timeout", "connection")


class StageStoppedError(MuddleError, RuntimeError):
    """A fault that every further request would meet, too; what was answered is stored and the stage can be resumed.

    ``cause`` is the fault without what to do about it.
    """

    def __init__(self, cause: str, mend: str = "") -> None:
        """Say the cause, and after it the mend."""
        super().__init__(cause + mend)
        self.cause = cause


@dataclass
class Budget:
    """US dollars that a study may spend; what is under way counts as what it may cost at the most.

    ``most`` of 0 is no limit. ``spent`` is what the study has cost so far, all earlier runs included.
    """

    most: float = 0.0
    spent: float = 0.0
    reserved: float = 0.0

    def allows(self, amount: float) -> bool:
        """Return whether a request of this highest cost still fits."""
        return not self.most or self.spent + self.reserved + amount <= self.most


@dataclass
class _Stage(Generic[Item]):
    """One stage on its way: what it has come to so far."""

    label: str
    do: Callable[[Item, Limiter], Awaitable[Reply]]
    price: Callable[[Item], float]
    budget: Budget
    bar: Any
    limiters: dict[str, Limiter] = field(default_factory=dict)
    first: dict[str, list[str]] = field(default_factory=dict)
    failed: Counter[str] = field(default_factory=Counter)
    again: list[Item] = field(default_factory=list)
    begun: dict[int, float] = field(default_factory=dict)
    last_reply: float = field(default_factory=time.monotonic)
    answered: int = 0
    taken: int = 0
    cost: float = 0.0
    stop_reason: str = ""
    error: Exception | None = None

    async def worker(self, account: str, items: Iterable[Item], start: float) -> None:
        """Take items of one account from ``start`` seconds on, until there are none or the stage stops."""
        await asyncio.sleep(start)
        limiter = self.limiters[account]
        for item in items:
            if self.stop_reason:
                return
            most = self.price(item) if self.budget.most else 0.0
            # What is under way may come out cheaper than it could have: wait for it before giving up.
            while not self.budget.allows(most) and self.begun and not self.stop_reason:
                await asyncio.sleep(_SETTLING)
            if not self.budget.allows(most):
                self.stop(
                    f"the budget of ${self.budget.most:.2f} is used up: ${self.budget.spent:.4f} is spent, and the "
                    f"next request may cost ${most:.4f}; raise --budget"
                )
            if self.stop_reason:
                return
            self.taken += 1
            token = self.taken
            self.begun[token] = time.monotonic()
            self.budget.reserved += most
            try:
                reply = await self.do(item, limiter)
            except Exception as error:  # noqa: BLE001 - whatever it is, what others have under way is paid for
                self.error = self.error or error
                self.stop(str(error))
                return
            finally:
                del self.begun[token]
                # Sums of amounts taken on and off leave crumbs.
                self.budget.reserved = self.budget.reserved - most if self.begun else 0.0
            if reply is UNSENT:
                return
            # An attempt whose cost nobody says may have cost what it could: a deadline stops no provider's work.
            self.budget.spent += (reply.cost or 0.0) + (most if reply.unpriced else 0.0)
            self.take(account, item, reply)

    def take(self, account: str, item: Item, reply: Reply) -> None:
        """Note what came of an item."""
        self.last_reply = time.monotonic()
        self.cost += reply.cost or 0.0
        self.bar.set_postfix_str(f"${self.cost:.4f}", refresh=False)
        self.bar.update()
        kind = "" if reply.status == "answered" else reply.error_class
        if not kind:
            self.answered += 1
        else:
            self.failed[kind] += 1
            if kind in TRANSIENT:
                self.again.append(item)
        if kind in FATAL:
            self.stop(f"{kind} ({reply.error})")
        else:
            self.break_off(account, kind, reply)

    def break_off(self, account: str, kind: str, reply: Reply) -> None:
        """Stop where an account has answered nothing yet and cannot be going to."""
        first = self.first.setdefault(account, [])
        if len(first) < BREAKER:
            first.append(kind)
        limiter = self.limiters[account]
        if kind == "connection" and not limiter.reached and reply.attempts > 1:
            self.stop(f"{account} was never reached ({reply.error}): is the address right and the server up?")
        elif len(first) == BREAKER and len(set(first)) == 1 and kind in _BREAKING:
            self.stop(f"the first {BREAKER} requests to {account} all ended as {kind} ({reply.error})")

    def stop(self, reason: str) -> None:
        """Begin nothing more; whoever waits to try again gives up."""
        self.stop_reason = self.stop_reason or reason
        for limiter in self.limiters.values():
            limiter.stop()

    async def heartbeat(self) -> None:
        """Say every so often that the stage lives, while nothing comes back."""
        while True:
            await asyncio.sleep(HEARTBEAT / 4)
            silent = time.monotonic() - self.last_reply
            if silent < HEARTBEAT or not self.begun:
                continue
            longest = time.monotonic() - min(self.begun.values())
            said = (
                f"{self.label}: no reply for {silent:.0f} s; {len(self.begun)} under way, the longest {longest:.0f} s"
            )
            for account, limiter in self.limiters.items():
                if (pause := limiter.resume_at - time.monotonic()) > 0:
                    until = datetime.datetime.now() + datetime.timedelta(seconds=pause)
                    said += f"; {account} asked to wait until {until:%H:%M:%S}"
            tqdm.write(said, file=sys.stderr)
            await asyncio.sleep(HEARTBEAT * 3 / 4)


async def _round(stage: _Stage[Item], items: Sequence[Item], account: Callable[[Item], str], concurrency: int) -> None:
    """Take items through, each account with workers of its own, so that one that pauses holds up no other."""
    queues: dict[str, list[Item]] = {}
    for item in items:
        queues.setdefault(account(item), []).append(item)
    async with asyncio.TaskGroup() as group:
        for name, queued in queues.items():
            stage.limiters.setdefault(name, Limiter(concurrency))
            waiting = iter(queued)
            for place in range(min(concurrency, len(queued))):
                group.create_task(stage.worker(name, waiting, place * STAGGER))


def _no_account(_: object) -> str:
    return "the model"


def _no_price(_: object) -> float:
    return 0.0


async def work_through(
    items: Iterable[Item],
    do: Callable[[Item, Limiter], Awaitable[Reply]],
    concurrency: int,
    label: str,
    account: Callable[[Item], str] = _no_account,
    price: Callable[[Item], float] = _no_price,
    budget: Budget | None = None,
    progress: bool = True,
) -> None:
    """Run ``do`` over the items, at most ``concurrency`` at a time on each account, with a bar that shows the cost.

    An item is taken only when a worker is free, so memory is bounded by the concurrency, not by the study. Items that
    ended in a fault that passes are tried once more at the end. ``price`` is the highest cost of an item in US
    dollars; it counts only under a budget.

    Raises:
        StageStoppedError: a fault that every request would meet, or the budget is used up; requests under way are
            finished first, and no further one is sent.
        ValueError: ``concurrency`` is below 1.
    """
    if concurrency < 1:
        raise ValueError(f"concurrency = {concurrency} asks for nothing: take 1 or more")
    waiting = list(items)
    with tqdm(total=len(waiting), desc=label, unit="request", disable=not progress or not waiting) as bar:
        stage = _Stage(label, do, price, budget or Budget(), bar)
        alive = asyncio.create_task(stage.heartbeat())
        try:
            await _round(stage, waiting, account, concurrency)
            if stage.again and stage.answered and not stage.stop_reason:
                again, stage.again = stage.again, []
                stage.failed -= Counter(dict.fromkeys(TRANSIENT, len(waiting)))
                bar.total = len(waiting) + len(again)
                await _round(stage, again, account, concurrency)
        finally:
            alive.cancel()
    if stage.error:
        raise stage.error
    _say_failures(stage, len(waiting))
    if stage.stop_reason:
        raise StageStoppedError(
            f"{label} stopped: {stage.stop_reason}. What was answered is stored; mend this and run again"
        )


def _say_failures(stage: _Stage[Any], n: int) -> None:
    if not stage.failed:
        return
    causes = ", ".join(f"{count} {kind}" for kind, count in stage.failed.most_common())
    said = f"{stage.label}: {stage.failed.total()} of {n} came to nothing ({causes})"
    lasting = sum(stage.failed[kind] for kind in LASTING)
    if stage.failed.total() > lasting:
        said += "; the next run tries them again"
    if lasting:
        said += f"; {lasting} would end the same way again: asked {FAULTS[LASTING[0]].again}"
    tqdm.write(said, file=sys.stderr)
