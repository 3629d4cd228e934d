"""The kernel of a notebook that asks nobody: it has no key, and its Python opens no connection.

``OfflineKernel`` starts it: with those variables of the environment that a kernel needs, and with a hook that refuses
every socket but one within the machine (``AF_UNIX``) and every look-up of a host. The hook holds for all code of the
process and cannot be taken out. It does not see what other programs do; the kit's notebooks start none.
"""

import os
import re
import socket
import sys
from collections.abc import Mapping
from typing import Any, Final

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

# What a kernel needs: programs, home, language, temporary folder, Python, its caches, and how many threads it may use.
# A list of what to leave out would have to know the name of every key, and proxies and databases with passwords.
_NEEDED: Final = re.compile(
    r"PATH|HOME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|PYTHON[A-Z]+|VIRTUAL_ENV|CONDA_PREFIX"
    r"|(?:DY)?LD_[A-Z_]*LIBRARY_PATH|XDG_[A-Z]+_(?:HOME|DIR)|IPYTHONDIR|JUPYTER_(?:CONFIG|DATA|RUNTIME)_DIR|MPL[A-Z]+"
    r"|(?:OMP|OPENBLAS|MKL|BLIS|NUMEXPR|VECLIB|NPY)_(?!.*KEY|.*TOKEN)[A-Z_]+"
)
_LOOK_UPS: Final = frozenset(
    f"socket.{name}" for name in ("getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo")
)


def needed(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of an environment that a kernel needs.

    >>> needed({"LC_ALL": "C", "OPENAI_API_KEY": "k", "HTTPS_PROXY": "http://ann:word@proxy"})
    {'LC_ALL': 'C'}
    """
    return {name: value for name, value in environment.items() if _NEEDED.fullmatch(name)}


class OfflineKernel(AsyncKernelManager):
    """Starts a kernel that has no key and opens no connection."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """This module as the kernel's start: an installed kernel may name programs and variables of its own."""
        return KernelSpec(argv=[sys.executable, "-m", __name__, "-f", "{connection_file}"], language="python")

    # The base class has it as an attribute.
    async def start_kernel(self, **options: Any) -> None:  # type: ignore[override] # noqa: ANN401
        """Start it with the variables that it needs."""
        await super().start_kernel(**{**options, "env": needed(os.environ)})


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _LOOK_UPS or (event == "socket.__new__" and arguments[1] != socket.AF_UNIX):
        raise PermissionError("this notebook is run offline: it makes its tables of rows that are there")


if __name__ == "__main__":
    sys.addaudithook(_refuse)
    from ipykernel import kernelapp

    kernelapp.launch_new_instance()
