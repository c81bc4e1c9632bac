"""RUN: the Celery side. Takes chunks off the queue, calls a kernel, puts the results."""
