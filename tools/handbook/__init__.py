"""The documentation: parts that are generated from rulebooks and solver, the reference, and the site."""
