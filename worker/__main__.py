"""`python -m worker`: one Celery worker in this process, with Celery's own options."""

import sys

from worker.app import app

app.worker_main(["worker", *sys.argv[1:]])
