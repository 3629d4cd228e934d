"""A PDF becomes Markdown, pictures or itself.

It may import ``study``. It never asks a model, and never cuts a document to make it fit.
"""

from typing import Final

from muddle_utils import face

_FACE: Final = {
    "cache": "IMAGE_SETTINGS MARKDOWN_RENDERERS CacheError",
    "pdf": "RenderError",
    "quality": "compare_renderers page_quality",
    "rendering": "page_images read_markdown render_documents choose_image_setting",
}
__all__ = [
    "IMAGE_SETTINGS",
    "MARKDOWN_RENDERERS",
    "CacheError",
    "RenderError",
    "choose_image_setting",
    "compare_renderers",
    "page_images",
    "page_quality",
    "read_markdown",
    "render_documents",
]


def __getattr__(name: str) -> object:
    """Load what the face names at its first use, so that importing the room loads nothing."""
    return face(__name__, _FACE, name)
