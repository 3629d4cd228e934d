"""Fetches MMLongBench-Doc from pinned commits and checks every file against its git blob SHA-1.

A file stands under its name only when its bytes are right, so what is there can be trusted and an interrupted
download goes on where it stopped. The list of files with their digests is ``data/mmlongbench_blobs.tsv``.
"""

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tqdm import tqdm

from muddle_utils.corpus.checks import CorpusError
from muddle_utils.study.paths import project_root

BASE_URL: Final = "https://raw.githubusercontent.com"
FAILURES_IN_A_ROW: Final = 3
PDF_FOLDER: Final = "documents/"


def git_blob_sha1(path: Path) -> str:
    """Return git's name for the file's content: the SHA-1 of ``blob <size>``, a zero byte, and the bytes."""
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


@dataclass(frozen=True)
class PinnedFile:
    """One upstream file: where it is, its digest, and its path in a download of ours."""

    repository: str
    commit: str
    path: str
    git_blob_sha1: str
    saved_as: str


def pinned_files() -> list[PinnedFile]:
    """Return the annotations and PDFs of MMLongBench-Doc at the commits this project pins."""
    path = project_root() / "data" / "mmlongbench_blobs.tsv"
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error.strerror}): restore it from the repository") from None
    return [PinnedFile(*line.split("\t")) for line in lines[1:]]


def fetch_mmlongbench(
    folder: Path, base_url: str = "", progress: bool = True, retries: int = 2, annotations_only: bool = False
) -> None:
    """Download MMLongBench-Doc's annotations (v1 and V2) and its 135 PDFs from their pinned commits into ``folder``.

    A file appears under its name only after its git blob SHA-1 is right; one that is there already and right is not
    fetched again, so an interrupted download resumes where it stopped.

    Args:
        folder: where the files go; it is made if it is missing.
        base_url: where ``<repository>/<commit>/<path>`` is served; empty takes the environment variable
            ``MUDDLE_MMLONGBENCH_URL``, else raw.githubusercontent.com.
        progress: show a progress bar over the files.
        retries: how many more times a failed file is tried, a second and then two later.
        annotations_only: leave the PDFs where they are; scoring answers needs none.

    Raises:
        CorpusError: files could not be fetched or are wrong; three in a row end the attempt.
    """
    base_url = (base_url or os.environ.get("MUDDLE_MMLONGBENCH_URL") or BASE_URL).rstrip("/")
    pinned = [file for file in pinned_files() if not (annotations_only and file.saved_as.startswith(PDF_FOLDER))]
    wanted = [file for file in pinned if not has_blob(folder / file.saved_as, file.git_blob_sha1)]
    failures: list[str] = []
    in_a_row = 0
    for file in tqdm(wanted, desc="downloading MMLongBench-Doc", unit="file", disable=not progress or not wanted):
        try:
            _fetch(file, folder, base_url, retries)
            in_a_row = 0
        # requests' own errors are OSErrors; a wrong digest is a ValueError.
        except (OSError, ValueError) as error:
            failures.append(f"{file.saved_as}: {str(error).splitlines()[0] if str(error) else type(error).__name__}")
            in_a_row += 1
            if in_a_row == FAILURES_IN_A_ROW:
                break
    if failures:
        shown = "\n  ".join(failures[:5])
        raise CorpusError(
            f"{len(failures)} of {len(wanted)} missing files could not be downloaded from {base_url}:\n  {shown}\n"
            "Run again to go on from here, or give data_dir = a folder that holds MMLongBench-Doc"
        )
    shutil.rmtree(folder / ".partial", ignore_errors=True)


def has_blob(path: Path, blob: str) -> bool:
    """Return whether the file is there with these bytes."""
    return path.is_file() and git_blob_sha1(path) == blob


def _fetch(file: PinnedFile, folder: Path, base_url: str, retries: int) -> None:
    import pooch  # only a download needs it

    pooch.get_logger().setLevel("WARNING")
    http = pooch.HTTPDownloader(chunk_size=1 << 16, timeout=60)

    def checked(url: str, output_file: str, pup: object) -> None:
        http(url, output_file, pup)
        if (found := git_blob_sha1(Path(output_file))) != file.git_blob_sha1:
            raise ValueError(f"the server sent other bytes (git blob {found}, expected {file.git_blob_sha1})")

    pup = pooch.create(
        path=folder / ".partial",
        base_url=f"{base_url}/{file.repository}/{file.commit}/",
        registry={file.path: None},
        retry_if_failed=retries,
    )
    # A file found here was checked before it got its name, and then the process died before the move.
    (folder / ".partial" / file.path).unlink(missing_ok=True)
    fetched = Path(pup.fetch(file.path, downloader=checked))
    target = folder / file.saved_as
    target.parent.mkdir(parents=True, exist_ok=True)
    fetched.replace(target)
