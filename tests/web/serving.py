"""An application on a connection, served from a thread."""

from threading import Thread

import pytest

from cranfield.web.application import Application
from cranfield.web.results import Results, StoreThread
from cranfield.web.server import Certificate, Listening, listen, server_of

pytestmark = pytest.mark.needs_extra("serve")


class Serving:
    """An application at an address, until it is closed."""

    def __init__(self, app: Application, at: Listening | None = None, certificate: Certificate | None = None) -> None:
        self.app, self.at = app, at or listen("127.0.0.1", 0)
        self.server = server_of(app.asgi(self.at.hosts), certificate)
        self.thread = Thread(target=self.server.run, kwargs={"sockets": [self.at.socket]})
        self.thread.start()

    def stop(self) -> None:
        """End the server alone."""
        self.server.should_exit = True
        self.thread.join()

    def close(self) -> None:
        self.stop()
        self.app.close()


def computing_here(app: Application) -> Application:
    """The same, which computes what takes long in this process: another would take a second to begin."""
    app.results.close()
    app.results = Results(app.reader, StoreThread(app.reader))
    return app
