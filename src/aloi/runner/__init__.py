"""The one path of every run: plan, invoke, grade, record."""
