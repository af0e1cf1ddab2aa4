"""What the checks of the report's pages have in common: a browser, pages in it, and expectations."""

import contextlib
import functools
import http.server
import pathlib
import shutil
import sys
import threading
import time

from playwright.sync_api import Error, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def axe_source():
    """axe-core as the Python package axe-playwright-python carries it."""
    import axe_playwright_python

    return next(pathlib.Path(axe_playwright_python.__file__).parent.glob("**/axe.min.js")).read_text()


class Failed(Exception):
    """An expectation that was not met."""


def expect(condition, *what):
    if not condition:
        raise Failed(" ".join(str(part) for part in what))


class Report:
    """A report folder and a browser to open its pages in."""

    def __init__(self, folder, browser):
        self.folder = pathlib.Path(folder).resolve()
        self.browser = browser

    @property
    def pages(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.glob("**/*.html"))

    def address(self, page="index.html", fragment=""):
        return (self.folder / page).as_uri() + fragment

    @contextlib.contextmanager
    def open(self, page="index.html", fragment="", width=1280, height=800, is_quiet=True, **options):
        """Opens a page from disk; what it says on the console fails the check."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        try:
            tab = context.new_page()
            said = []
            tab.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
            tab.on("pageerror", lambda error: said.append(f"error: {error}"))
            tab.on("dialog", lambda dialog: (said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
            tab.goto(page if "://" in page else self.address(page, fragment))
            yield tab
            expect(not said or not is_quiet, page, "said", said)
        finally:
            context.close()


def wait_until(tab, condition, seconds=30):
    """Waits for a condition in JavaScript; the browser asks for it, as a page's policy refuses to evaluate texts."""
    deadline = time.monotonic() + seconds

    def holds():
        try:
            return tab.evaluate(condition)
        except Error:
            return False  # While a page gives way to the next there is nobody to ask.

    while not holds():
        expect(time.monotonic() < deadline, "waited in vain for", condition)
        time.sleep(0.02)


@contextlib.contextmanager
def served(folder, headers):
    """Serves a folder over HTTP with headers of its own; gives its address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self):
            for name, value in headers.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        def handle_error(self, request, client_address):
            """A browser that goes on to another page closes what it still reads."""
            if not isinstance(sys.exc_info()[1], (BrokenPipeError, ConnectionResetError)):
                super().handle_error(request, client_address)

    handler = functools.partial(Handler, directory=str(folder))
    server = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def run(checks, folder):
    """Runs each check on a report folder; prints one line each, and exits with 1 when one failed."""
    failures = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for check in checks:
            try:
                result = check(Report(folder, browser))
                print(f"ok {check.__name__}" + (f": {result}" if result else ""))
            except Exception as error:  # one check that cannot go on must not hide the others
                failures += 1
                print(f"FAILED {check.__name__}: {type(error).__name__}: {error}".replace("\n", " ⏎ "))
            sys.stdout.flush()
        browser.close()
    sys.exit(1 if failures else 0)
