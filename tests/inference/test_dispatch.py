"""Many requests at once: the limiter, the budget, what stops a stage."""

import asyncio
import itertools
import time
from collections import Counter

import pytest

from muddle_utils.inference import dispatch
from muddle_utils.inference.client import Reply
from muddle_utils.inference.dispatch import Budget, StageStoppedError, work_through
from muddle_utils.inference.limiter import Limiter

GOOD = Reply("answered", "42", cost=0.5)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(dispatch, "STAGGER", 0.0)


def failed(kind, **fields):
    return Reply("failed", error_class=kind, error=f"said {kind}", **fields)


def run(items, do, concurrency=4, **options):
    async def lent(item, _):
        return await do(item)

    return asyncio.run(work_through(items, lent, concurrency, "answering", progress=False, **options))


def test_every_item_is_taken_once_and_at_most_so_many_at_once():
    running, most, seen = 0, 0, Counter()

    async def do(item):
        nonlocal running, most
        running += 1
        most = max(most, running)
        seen[item] += 1
        await asyncio.sleep(0.001)
        running -= 1
        return GOOD

    run(range(30), do)
    assert most == 4
    assert seen == Counter(range(30))


def test_requests_begin_one_after_another_and_not_in_a_burst(monkeypatch):
    monkeypatch.setattr(dispatch, "STAGGER", 0.02)
    begun = []

    async def do(item):
        begun.append(time.monotonic())
        await asyncio.sleep(0.2)
        return GOOD

    run(range(5), do, 5)
    gaps = [later - earlier for earlier, later in itertools.pairwise(begun)]
    assert len(gaps) == 4
    assert min(gaps) >= 0.01


@pytest.mark.parametrize("kind", ["quota", "credentials", "not_found", "attachment_lost"])
def test_a_fault_that_all_would_meet_stops_the_stage(kind):
    done = []

    async def do(item):
        done.append(item)
        return GOOD if item < 2 else failed(kind)

    with pytest.raises(
        StageStoppedError, match=f"answering stopped: {kind} .said {kind}.. What was answered is stored"
    ):
        run(range(10), do, 1)
    assert done == [0, 1, 2]


def test_what_failed_in_passing_is_tried_once_more_at_the_end():
    seen = Counter()

    async def do(item):
        seen[item] += 1
        return failed("server_error") if item % 3 == 0 and seen[item] == 1 else GOOD

    run(range(9), do)
    assert seen == Counter({0: 2, 3: 2, 6: 2, 1: 1, 2: 1, 4: 1, 5: 1, 7: 1, 8: 1})


def test_what_keeps_failing_is_counted_and_left_to_the_next_run(capsys):
    seen = Counter()

    async def do(item):
        seen[item] += 1
        return {0: failed("timeout"), 1: failed("context_exceeded"), 2: failed("filtered")}.get(item, GOOD)

    run(range(5), do, 1)
    assert seen == Counter({0: 2, 1: 1, 2: 1, 3: 1, 4: 1})
    said = capsys.readouterr().err
    assert "3 of 5 came to nothing" in said
    assert "1 timeout" in said
    assert "the next run tries them again" in said
    assert "1 would end the same way again: asked only with --refresh" in said


def test_an_account_that_was_never_reached_stops_at_once():
    seen = []

    async def do(item):
        seen.append(item)
        return failed("connection", attempts=4)

    with pytest.raises(
        StageStoppedError, match=r"the model was never reached .* is the address right and the server up\?"
    ):
        run(range(50), do, 1)
    assert seen == [0]


def test_the_same_fault_from_the_beginning_breaks_off():
    seen = []

    async def do(item):
        seen.append(item)
        return failed("bad_request")

    with pytest.raises(StageStoppedError, match="the first 10 requests to the model all ended as bad_request"):
        run(range(50), do, 1)
    assert len(seen) == dispatch.BREAKER


def test_a_stage_of_refusals_is_not_broken_off():
    async def do(item):
        return Reply("refused", error_class="filtered")

    run(range(30), do)


def test_one_account_that_pauses_holds_up_no_other():
    done = []

    async def do(item, limiter):
        if item == "slow 0":
            limiter.slow_down(time.monotonic(), 0.5)
        async with limiter.slot():
            done.append(item)
        return GOOD

    items = [f"{name} {number}" for number in range(5) for name in ("slow", "quick")]
    asyncio.run(work_through(items, do, 2, "x", account=lambda item: item.split()[0], progress=False))
    assert sorted(done) == sorted(items)
    assert all(item.startswith("quick") for item in done[:5])


# --- the budget ---


def test_the_budget_counts_what_is_under_way():
    costs, under_way, most = [], 0, 0

    async def do(item):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        costs.append(0.5)
        return GOOD

    budget = Budget(most=3.0, spent=1.0)
    with pytest.raises(StageStoppedError, match=r"the budget of \$3.00 is used up: .*raise --budget"):
        run(range(100), do, 8, price=lambda _: 1.0, budget=budget)
    # At most two of one dollar fit beside the first dollar spent, and what came out cheaper leaves room for more.
    assert most == 2
    assert budget.spent == 1.0 + sum(costs) <= 3.0
    assert budget.reserved == 0.0
    assert budget.spent + 1.0 > 3.0, "it stops only when the next one might not fit"


def test_a_deadline_may_have_cost_what_it_could():
    budget = Budget(most=2.5)

    async def do(item):
        return failed("timeout", unpriced=1) if item == 0 else Reply("answered", "42", cost=0.3)

    with pytest.raises(StageStoppedError, match="budget"):
        run(range(100), do, 1, price=lambda _: 1.0, budget=budget)
    assert budget.spent == pytest.approx(1.0 + 0.3 * 2)


def test_an_answer_whose_cost_nobody_says_counts_as_what_it_could_cost():
    budget = Budget(most=2.5)

    async def do(item):
        return Reply("answered", "42", unpriced=1) if item else failed("rate_limited")

    with pytest.raises(StageStoppedError, match="budget"):
        run(range(100), do, 1, price=lambda _: 1.0, budget=budget)
    assert budget.spent == 2.0, "two answers, and a refusal that cost nothing"


def test_without_a_budget_nothing_is_priced():
    async def do(item):
        return GOOD

    run(range(3), do, price=lambda _: pytest.fail("nobody needs a price"))


# --- the limiter ---


def test_the_limit_halves_once_a_wave_and_grows_again():
    async def work():
        limiter = Limiter(16)
        begun = time.monotonic()
        for _ in range(5):
            limiter.slow_down(begun, None)
        assert limiter.limit == 8, "five refusals of one wave are one signal"
        limiter.slow_down(time.monotonic() + 0.001, None)
        assert limiter.limit == 4
        for _ in range(1000):
            limiter.speed_up()
        assert limiter.limit == 16

    asyncio.run(work())


def test_the_limit_never_reaches_nothing():
    async def work():
        limiter = Limiter(4)
        for number in range(20):
            limiter.slow_down(time.monotonic() + number, None)
        assert limiter.limit == 1
        async with limiter.slot():
            pass

    asyncio.run(work())


def test_a_pause_holds_for_everybody():
    async def work():
        limiter = Limiter(4)
        limiter.slow_down(time.monotonic(), 0.3)
        started = time.monotonic()

        async def one():
            async with limiter.slot():
                return time.monotonic() - started

        waits = await asyncio.gather(*(one() for _ in range(4)))
        assert min(waits) >= 0.3

    asyncio.run(work())


def test_a_halved_limit_holds_back_the_rest():
    async def work():
        limiter, running, most = Limiter(8), 0, 0
        limiter.slow_down(time.monotonic(), None)

        async def one():
            nonlocal running, most
            async with limiter.slot():
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.002)
                running -= 1

        await asyncio.gather(*(one() for _ in range(40)))
        assert most == 4

    asyncio.run(work())


def test_a_stopped_stage_waits_for_nobody():
    async def work():
        limiter = Limiter(1)
        waiting = asyncio.create_task(limiter.wait(3600))
        await asyncio.sleep(0.01)
        limiter.stop()
        await asyncio.wait_for(waiting, 3)

    asyncio.run(work())


def test_long_silence_is_broken(monkeypatch, capsys):
    monkeypatch.setattr(dispatch, "HEARTBEAT", 0.2)

    async def do(item):
        await asyncio.sleep(0.6)
        return GOOD

    run([1], do)
    assert "answering: no reply for" in capsys.readouterr().err


def test_an_error_of_one_worker_is_the_stages_error():
    async def do(item):
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        run(range(4), do)


def test_asking_with_nobody_is_refused():
    with pytest.raises(ValueError, match="concurrency = 0"):
        run([1], None, 0)


def test_amounts_that_leave_crumbs_do_not_hang_the_stage():
    prices = [0.1, 0.2, 0.3, 0.7, 0.15]
    budget = Budget(most=0.75)

    async def do(item):
        await asyncio.sleep(0.001)
        return Reply("answered", "42", cost=prices[item])

    with pytest.raises(StageStoppedError, match="budget"):
        asyncio.run(asyncio.wait_for(_lent(range(5), do, prices, budget), 5))
    assert budget.spent <= 0.75


async def _lent(items, do, prices, budget):
    async def lent(item, _):
        return await do(item)

    await work_through(items, lent, 3, "x", price=lambda item: prices[item], budget=budget, progress=False)


def test_places_are_given_in_the_order_in_which_they_were_asked_for():
    async def work():
        limiter, order = Limiter(1), []

        async def one(number):
            async with limiter.slot():
                order.append(number)
                await asyncio.sleep(0)

        async def again(first):
            for number in range(first, 20, 4):
                await one(number)

        await asyncio.gather(*(again(first) for first in range(4)))
        assert order == list(range(20))

    asyncio.run(work())


def test_a_cancelled_wait_hands_its_place_on():
    async def work():
        limiter, got = Limiter(1), asyncio.Event()

        async def holder():
            async with limiter.slot():
                await asyncio.sleep(0.01)

        async def waiter():
            async with limiter.slot():
                got.set()

        holding = asyncio.create_task(holder())
        await asyncio.sleep(0)
        first, second = asyncio.create_task(waiter()), asyncio.create_task(waiter())
        await holding
        first.cancel()
        await asyncio.wait_for(asyncio.gather(first, second, return_exceptions=True), 2)
        assert got.is_set()
        assert limiter.under_way == 0

    asyncio.run(work())
