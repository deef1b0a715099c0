"""Reports of a run: JUnit, CSV, JSON and HTML.

Each module has `write(run, results)`, which gives the text in pieces while the results are read, so that a report
never holds a whole run. The figures come from `run.summary`, which must be set.
"""
