"""The builder of the embedded demo corpus: ``python -m data.demo.build`` from the root of the repository."""
