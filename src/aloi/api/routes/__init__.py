"""One file per thing. Each has a `router`; `app.create_app` finds them all."""
