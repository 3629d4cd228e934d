"""The vocabulary of the MUDDLE notebooks.

MUDDLE asks every question with its source document alone, with topically similar hard negatives and with
length-matched random distractors, so that a failure can be put down to length or to topic. The notebooks are the
study, in order; this package is the words they use; rows on disk are the only thing passed between them.

Importing the package loads nothing heavy: each module imports its own libraries, and litellm is imported only where
a request is made.
"""

import os

# What MarkItDown brings along reports its use, under a number that it keeps in the home folder; read when it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__version__ = "0.1.0"
