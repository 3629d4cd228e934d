"""Measures the requests stage beside its peers in one run: throughput, overhead, memory, and what resuming costs.

    .venv/bin/python benchmarks/asking.py [--quick] [--repeat 3] [--only a,b,c,d] [--cache DIR]

    a  2 s latency, 64 at once, markdown cells   how near to the ideal throughput, concurrency / latency
    b  200 ms latency, 32 at once, markdown      what the stage adds to a bare loop over litellm
    c  200 ms latency, 8 at once, image cells    whether memory grows with the number of cells (N and 4 N)
    d  nothing left to ask                       what resuming a finished study of 1,350 cells takes

``ours`` is ``answer_requests`` with a store on disk, from planning to the last row; ``inspect`` is Inspect AI with its
usual log, in an environment that the first run makes in the cache folder; ``litellm`` is a semaphore around
``litellm.acompletion``, which keeps nothing; ``bare`` is aiohttp, the limit of server and machine. All send the same
messages, built from files in their turn (Inspect AI's samples hold all texts from the start). Each run is a fresh
process whose clock starts after its imports. Rounds are interleaved and ratios are taken within a round, so that other
work on the machine meets all alike. The server, a process of its own, counts what it gets and reads none of it.
"""

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

INSPECT = ("inspect-ai==0.3.285", "openai==3.57.0")
MODEL = "some-model"
CONDITIONS = {"control": 0, "hn-2": 2, "random-2": 2, "hn-4": 4, "random-4": 4}
# A control cell has 116,000 characters and one with four distractors 383,000.
DOCUMENTS = {f"source-{n}": 116_000 for n in range(12)} | {f"other-{n}": 66_750 for n in range(20)}
LINE = '| {} | net revenue of 1,284.5 million “euro” – or 12 % – rose in Zürich, and the auditor was "content" |\n'
# Five documents of 12 such pages come to 15 MB, the most that is sent at 1536 pixels.
PAGES, PAGE_BYTES, IMAGE_SETTING = 12, 249_000, "1536q90"
LEAST_SHARE, MOST_OVERHEAD, MOST_GROWTH, MOST_MEMORY = 0.85, 1.3, 1.2, 1024
Json = dict[str, Any]
# Cells answered; seconds, CPU seconds and peak MiB of a process; requests, bytes and most at once of the server.
Run = dict[str, float]
Results = dict[tuple["Setting", str], list[Run]]


class Setting(NamedTuple):
    """What is asked of each contender; latency in seconds."""

    name: str
    kind: str
    latency: float
    concurrency: int
    cells: int
    contenders: tuple[str, ...] = ("ours", "inspect", "litellm", "bare")


def settings(quick: bool) -> list[Setting]:
    """Return the settings in order; a smoke run has fewer cells."""
    a, b, c, d = (128, 64, 8, 135) if quick else (640, 320, 16, 1350)
    image = [Setting("c", "image", 0.2, 8, cells) for cells in (c, 4 * c)]
    resumed = [Setting("d", kind, 0.0, 8, d, ("resume",)) for kind in ("markdown", "image")]
    return [Setting("a", "markdown", 2.0, 64, a), Setting("b", "markdown", 0.2, 32, b), *image, *resumed]


COMPLETION = {
    **{"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": MODEL},
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "1,284.5 million"}}],
    "usage": {"prompt_tokens": 100_000, "completion_tokens": 8, "total_tokens": 100_008},
}


async def serve() -> None:
    """Print a free loopback port and serve chat completions on it; the path says the latency: ``/0.2/v1/...``."""
    counts = dict.fromkeys(("requests", "sent", "most", "under_way"), 0)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readline():
            while (line := await reader.readline()).strip():
                head += line.lower()
            path, left = head.split()[1].decode(), int(head.partition(b"content-length:")[2].split(b"\r")[0] or 0)
            reply: dict[str, Any] = COMPLETION
            if path == "/counts":  # what was counted since it was asked last
                reply = dict(counts)
                counts.update(dict.fromkeys(counts, 0))
            else:
                counts["requests"] += 1
                counts["sent"] += left
                counts["under_way"] += 1
                counts["most"] = max(counts["most"], counts["under_way"])
                while left and (part := await reader.read(1 << 20)):
                    left -= len(part)
                await asyncio.sleep(float(path.split("/")[1]))
                counts["under_way"] -= 1
            body = json.dumps(reply)
            about = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
            writer.write(f"{about}\r\n\r\n{body}".encode())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def make_documents(folder: Path) -> None:
    """Write the Markdown files and the folders of JPEG pages that are missing."""
    from PIL import Image

    for name, size in DOCUMENTS.items():
        pages = folder / "image" / name
        if (pages / "rendering.json").is_file():
            continue
        pages.mkdir(parents=True, exist_ok=True)
        (folder / "markdown").mkdir(exist_ok=True)
        text = "".join(LINE.format(f"{name} {number}") for number in range(size // 50))
        (folder / "markdown" / f"{name}.md").write_text(text[:size], encoding="utf-8")
        for number in range(1, PAGES + 1):
            path = pages / f"page-{number:05d}-{IMAGE_SETTING}.jpg"
            Image.effect_noise((1187, 1536), 2).convert("RGB").save(path, quality=90)
            # What follows the end of a JPEG is ignored; it makes all pages equally long.
            os.truncate(path, PAGE_BYTES)
        sizes = {IMAGE_SETTING: PAGES * PAGE_BYTES, "1024q80": PAGES * PAGE_BYTES // 3}
        (pages / "rendering.json").write_text(json.dumps({"jpeg_bytes": sizes}), encoding="utf-8")


def make_rows(job: Json) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the cells, five conditions a question, the questions and the renderings, each by its id."""
    from muddle_utils.study.records import Cell, Question, Rendering

    cells, questions, renderings = {}, {}, {}
    image = job["kind"] == "image"
    for number in range(job["cells"]):
        asked, nth = divmod(number, len(CONDITIONS))
        condition, k = list(CONDITIONS.items())[nth]
        text, source = f"What was the net revenue of company {asked}?", f"source-{asked % 12}"
        # Image cells all have four distractors, so that the number of cells is all that differs between two runs.
        names = [f"other-{(7 * asked + 5 * nth + i) % 20}" for i in range(4 if image else k)]
        names.insert(asked % (len(names) + 1), source)
        questions[text] = Question(text, source, text, "1,284.5 million", "Float", (1,), (), "Financial report")
        key = f"{text} {condition}"
        cells[key] = Cell(key, text, condition, len(names) - 1, "", tuple(names), names.index(source), "", "")
        for name in names:
            path = Path(job["folder"]) / job["kind"] / (name if image else f"{name}.md")
            size = PAGES * PAGE_BYTES if image else path.stat().st_size
            made = ("made up", "1", "{}", f"{job['kind']} {name}", str(path), size, PAGES, DOCUMENTS[name], ())
            renderings[name] = Rendering(name, name, job["kind"], *made, "rendered", "", 0.0)
    return cells, questions, renderings


def write_blocks(job: Json) -> None:
    """Write the blocks of each message as (text, path), for the contender that cannot import this package."""
    from muddle_utils.inference.prompts import document_header, question_text

    cells, _, renderings = make_rows(job)
    lines = []
    for cell in cells.values():
        blocks = [(question_text(job["kind"], cell.question_id), "")]
        for index, path in enumerate((renderings[name].path for name in cell.document_ids), start=1):
            blocks.append((document_header(index), path if job["kind"] == "markdown" else ""))
            pages = range(1, PAGES + 1) if job["kind"] == "image" else ()
            blocks += [("", f"{path}/page-{page:05d}-{IMAGE_SETTING}.jpg") for page in pages]
        lines.append(json.dumps(blocks))
    Path(job["scratch"], "blocks.jsonl").write_text("\n".join(lines), encoding="utf-8")


def ours(job: Json) -> Callable[[], int]:
    """The stage: plan, ask and store; where all is stored already, this is what resuming does."""
    from muddle_utils.inference import client, routes
    from muddle_utils.inference import requests as requests_module
    from muddle_utils.study import store

    rows = make_rows(job)
    model = routes.find_model(f"openai/{MODEL}", api_base=job["url"])
    if job["contender"] == "ours":
        client.load_litellm()

    def run() -> int:
        with store.Store(Path(job["scratch"]) / "store.sqlite") as stored:
            requests = requests_module.plan_requests(rows[0].values(), *rows[1:], model, job["kind"], model.parameters)
            if job["contender"] == "fill":
                reply = client.Reply("answered", "1,284.5 million", tokens_in=100_000, tokens_out=8, cost=0.02)
                for request in requests:
                    stored.add_response(requests_module.as_response(request, reply, "{}", "{}"))
            asked = requests_module.answer_requests(requests, *rows, stored, model, job["concurrency"], progress=False)
            asyncio.run(asked)
            return sum(response.status == "answered" for response in stored.responses())

    return run


async def loop(job: Json, send: Callable[[list[Json]], Awaitable[bool]]) -> int:
    """Send the messages that the stage would send, a bounded number at once, and forget the answers."""
    from muddle_utils.inference.requests import build_message

    places, (cells, _, renderings) = asyncio.Semaphore(job["concurrency"]), make_rows(job)
    setting = IMAGE_SETTING if job["kind"] == "image" else ""

    async def one(cell: Any) -> bool:  # noqa: ANN401 - a record that Inspect AI's environment does not have
        async with places:
            placed = [renderings[name] for name in cell.document_ids]
            return await send(build_message(cell.question_id, placed, job["kind"], setting))

    return sum(await asyncio.gather(*map(one, cells.values())))


def litellm(job: Json) -> Callable[[], int]:
    """The shortest loop over litellm."""
    from muddle_utils.inference import client

    library = client.load_litellm()
    fixed = {"model": f"openai/{MODEL}", "api_base": job["url"], "max_retries": 0, "max_tokens": 16_000}

    async def send(content: list[Json]) -> bool:
        completion = await library.acompletion(messages=[{"role": "user", "content": content}], **fixed)
        return bool(completion.choices[0].message.content)

    return lambda: asyncio.run(loop(job, send))


def bare(job: Json) -> Callable[[], int]:
    """The same JSON over aiohttp's connections."""
    import aiohttp

    from muddle_utils.inference import requests as requests_module  # noqa: F401 - as above

    async def send(session: aiohttp.ClientSession, content: list[Json]) -> bool:
        body = {"model": MODEL, "messages": [{"role": "user", "content": content}], "max_tokens": 16_000}
        data = json.dumps(body, ensure_ascii=False).encode()
        async with session.post(f"{job['url']}/chat/completions", data=data) as reply:
            return bool((await reply.json())["choices"][0]["message"]["content"])

    async def run() -> int:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            return await loop(job, partial(send, session))

    return lambda: asyncio.run(run())


def inspect(job: Json) -> Callable[[], int]:
    """Inspect AI on the same blocks: one task, ``generate()``, no scorer."""
    from inspect_ai import Task, dataset, eval, model, solver  # type: ignore[import-not-found]

    asked = model.get_model(f"openai-api/bench/{MODEL}", base_url=job["url"], api_key="loopback")

    def block(text: str, path: str) -> Any:  # noqa: ANN401
        if not text:
            return model.ContentImage(image=path, detail="high")
        return model.ContentText(text=f"{text}\n{Path(path).read_text('utf-8')}\n" if path else text)

    def run() -> int:
        lines = [json.loads(line) for line in Path(job["scratch"], "blocks.jsonl").read_text("utf-8").splitlines()]
        samples = [dataset.Sample([model.ChatMessageUser(content=[block(*each) for each in line])]) for line in lines]
        task = Task(dataset=dataset.MemoryDataset(samples), solver=solver.generate())
        at_once = {"max_connections": job["concurrency"], "max_samples": job["concurrency"]}
        fixed = {"max_tokens": 16_000, "max_retries": 0, "adaptive_connections": False, "display": "none"}
        [log] = eval(task, model=asked, log_dir=job["scratch"], **at_once, **fixed)
        return sum(bool(answered.output.completion) for answered in log.samples)

    return run


CONTENDERS = {"ours": ours, "fill": ours, "resume": ours, "inspect": inspect, "litellm": litellm, "bare": bare}


def contend(job: Json) -> None:
    """Run one contender in this process and print what it came to as a line of JSON."""
    os.environ["OPENAI_API_KEY"] = "loopback"
    run = CONTENDERS[job["contender"]](job)
    start, cpu = time.monotonic(), time.process_time()
    answered = run()
    spent = {"seconds": time.monotonic() - start, "cpu": time.process_time() - cpu}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"answered": answered, **spent, "memory": memory}))


def inspect_python(cache: Path) -> str:
    """Return the interpreter of Inspect AI's environment, which is made on first use."""
    folder = cache / "inspect"
    ready = folder / "ready"
    if not ready.is_file() or ready.read_text("utf-8") != " ".join(INSPECT):
        print(f"making an environment for Inspect AI in {folder}", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", *INSPECT], check=True)
        ready.write_text(" ".join(INSPECT), encoding="utf-8")
    return str(folder / "bin/python")


def measure(setting: Setting, contender: str, server: str, cache: Path) -> Run:
    """Run one contender in a fresh process.

    Raises:
        SystemExit: it failed, or it did not answer or send what it was asked to.
    """
    job = {**setting._asdict(), "url": f"{server}/{setting.latency}/v1", "folder": str(cache)}
    python = inspect_python(cache) if contender == "inspect" else sys.executable
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        for name in ("fill", contender) if contender == "resume" else (contender,):
            job |= {"scratch": scratch, "contender": name}
            if name == "inspect":
                write_blocks(job)
            command = [python, "-P", __file__, "--job", json.dumps(job)]
            process = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=scratch)
            if process.returncode:
                sys.exit(f"{name} failed in setting {setting.name}: its own message is above")
    with urllib.request.urlopen(f"{server}/counts") as counts:
        run: Run = {**json.loads(process.stdout.splitlines()[-1]), **json.load(counts)}
    if (run["answered"], run["requests"]) != (setting.cells, 0 if contender == "resume" else setting.cells):
        sys.exit(f"{contender} answered {run['answered']} of {setting.cells} cells with {run['requests']} requests")
    return run


def ratio(above: list[Run], below: list[Run], figure: str = "seconds") -> float:
    """Return the median over the rounds of one contender's figure over another's in the same round."""
    return statistics.median(a[figure] / b[figure] for a, b in zip(above, below, strict=True))


def report(results: Results) -> None:
    """Print one line of medians a setting and contender."""
    print(
        "\n   contender     kind  cells  at once  wall s (least to most)  of ideal  /litellm   CPU s  MiB peak  MB sent"
    )
    for (setting, contender), runs in results.items():
        middle = {figure: statistics.median(run[figure] for run in runs) for figure in runs[0]}
        spread = f"({min(run['seconds'] for run in runs):.2f} to {max(run['seconds'] for run in runs):.2f})"
        share = setting.cells * setting.latency / setting.concurrency / middle["seconds"]
        over = ratio(runs, results.get((setting, "litellm"), runs))
        line = f"{setting.name}  {contender:8s}  {setting.kind:>8s}  {setting.cells:5d}  {middle['most']:7.0f}"
        line += f"  {middle['seconds']:6.2f} {spread:>16s}"
        line += f"  {share:8.2f}  {over:8.2f}" if middle["sent"] else " " * 20
        print(f"{line}  {middle['cpu']:6.2f}  {middle['memory']:8.0f}  {middle['sent'] / 1e6:7.0f}")


def judge(results: Results) -> None:
    """Print one line a requirement: whether it holds, the figure and the bound."""
    for (setting, contender), mine in results.items():
        held = []
        if setting.kind == "markdown" and contender == "ours":
            held += [("Inspect AI's wall time over ours", ratio(results[setting, "inspect"], mine), ">", 1.0)]
            held += [("MiB at the peak", max(run["memory"] for run in mine), "<", MOST_MEMORY)]
        if setting.name == "a" and contender == "ours":
            ideal = setting.cells * setting.latency / setting.concurrency
            held += [
                ("of ideal throughput", statistics.median(ideal / run["seconds"] for run in mine), ">", LEAST_SHARE)
            ]
        if setting.name == "b" and contender == "ours":
            held += [("our wall time over litellm's", ratio(mine, results[setting, "litellm"]), "<", MOST_OVERHEAD)]
        if more := results.get((setting._replace(cells=4 * setting.cells), contender)):
            held += [(f"{contender}: peak memory with 4 N cells over N", ratio(more, mine, "memory"), "<", MOST_GROWTH)]
        for text, value, sign, bound in held:
            met = value >= bound if sign == ">" else value <= bound
            print(f"{'met    ' if met else 'NOT MET'}  {setting.name}: {text}: {value:.2f} ({sign} {bound:g})")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few cells, one round, no verdicts: a smoke run")
    parser.add_argument("--repeat", type=int, default=3, help="rounds; the figures are medians over them")
    parser.add_argument("--only", default="a,b,c,d", help="settings, separated by commas")
    parser.add_argument("--cache", default="data/runs/.cache/bench", help="folder of documents and of Inspect AI")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := sorted(set(options.only.split(",")) - set("abcd")):
        parser.error(f"--only {options.only}: {unknown[0]!r} is no setting, take some of a,b,c,d")
    if options.serve:
        return asyncio.run(serve())
    if options.job:
        return contend(json.loads(options.job))
    # This file has the name of a library that others import, so its folder must not stand before theirs.
    sys.path[:] = [folder for folder in sys.path if Path(folder).resolve() != Path(__file__).resolve().parent]
    from muddle_utils.study.paths import resolve

    cache = resolve(options.cache)
    make_documents(cache)
    chosen = [setting for setting in settings(options.quick) if setting.name in options.only.split(",")]
    pairs = [(setting, contender) for setting in chosen for contender in setting.contenders]
    results: Results = {pair: [] for pair in pairs}
    loads = [os.getloadavg()[0]]
    with subprocess.Popen([sys.executable, "-P", __file__, "--serve"], stdout=subprocess.PIPE, text=True) as process:
        try:
            server = f"http://127.0.0.1:{int((process.stdout or sys.stdin).readline())}"
            for number in range(1 if options.quick else options.repeat):
                # Every other round goes backwards, so that nobody always runs first.
                for setting, contender in pairs[:: -1 if number % 2 else 1]:
                    run = measure(setting, contender, server, cache)
                    print(f"{setting.name} {contender} {run['seconds']:.2f} s", file=sys.stderr, flush=True)
                    results[setting, contender].append(run)
                    loads.append(os.getloadavg()[0])
        finally:
            process.terminate()
    report(results)
    if not options.quick:
        judge(results)
    print(f"load {min(loads):.1f} to {max(loads):.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
