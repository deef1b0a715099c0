"""Aloi over HTTP: thin routes that parse, call one use case of the service layer, and answer.

`app.create_app` makes the application, `errors` maps what can go wrong to answers, `access` says who asks and what they
may do, `routes` holds one file per thing.
"""
