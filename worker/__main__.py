"""`python -m worker`: one Celery worker in this process, with Celery's own options."""

import sys

from worker.app import app, settings

# Heartbeats are events, too: without them Flower takes a worker for gone that has nothing to do.
app.worker_main(["worker", *sys.argv[1:], *([] if settings.events else ["--without-heartbeat"])])
