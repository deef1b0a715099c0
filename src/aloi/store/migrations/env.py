"""What Alembic runs: the migrations, over the connection that `aloi.store.engines.migrate` gives."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
