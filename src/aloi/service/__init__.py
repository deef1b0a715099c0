"""Use cases: what can be done with Aloi, one transaction each. Joins the store and the runner."""
