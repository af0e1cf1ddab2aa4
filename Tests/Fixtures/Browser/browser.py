"""What the checks of the report's pages have in common: a browser, pages in it, and expectations.

No check depends on how fast the machine is: `settled` and `wait_until` wait for what is meant, and give up after
`PATIENCE`. BROWSER_SLOWDOWN=6 has Chromium compute so many times slower, to prove it.
"""

import contextlib
import functools
import http.server
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time

from playwright.sync_api import Error, sync_playwright

# How long a machine that does much else at once is waited for, in seconds.
PATIENCE = 120
SLOWDOWN = float(os.environ.get("BROWSER_SLOWDOWN", "1"))

# Counts what a page has begun and not ended: files that it reads, timers that are short, frames and ways to other pages.
WATCH = """(() => {
  const pending = new Set();
  const [timeout, clear, frame] = [setTimeout, clearTimeout, requestAnimationFrame].map((each) => each.bind(window));
  const isShort = (milliseconds) => !(milliseconds > 1000);
  window.setTimeout = (action, milliseconds, ...values) => {
    const id = timeout((...all) => { pending.delete(id); action(...all); }, milliseconds, ...values);
    if (isShort(milliseconds)) pending.add(id);
    return id;
  };
  window.clearTimeout = (id) => { pending.delete(id); clear(id); };
  window.requestAnimationFrame = (action) => {
    const begun = {};
    pending.add(begun);
    return frame((now) => { pending.delete(begun); action(now); });
  };
  const reads = (node) => {
    if (node.localName !== "script" || !node.src) return;
    pending.add(node);
    for (const end of ["load", "error"]) node.addEventListener(end, () => pending.delete(node));
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) reads(node);
  }).observe(document, { childList: true, subtree: true });
  window.navigation?.addEventListener("navigate", ({ hashChange, destination, downloadRequest }) => {
    if (downloadRequest !== null || (destination.sameDocument && !hashChange)) return;
    const begun = {};
    pending.add(begun);
    if (hashChange) window.addEventListener("hashchange", () => pending.delete(begun), { once: true });
  });
  window.isSettled = async () => {
    for (let round = 0; round < 3; round += 1) {
      await new Promise((done) => frame(() => timeout(done)));
      if (document.readyState !== "complete" || pending.size) return false;
    }
    return true;
  };
})()"""

# Chromium without windows takes half the processor's time of the one with them.
CHROMIUM = next(filter(None, map(shutil.which, [
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"])), None)


def axe_source():
    """axe-core as the Python package axe-playwright-python carries it."""
    import axe_playwright_python

    return next(pathlib.Path(axe_playwright_python.__file__).parent.glob("**/axe.min.js")).read_text()


# The rules that look at colours, which take axe five times as long as all others.
COLORS = ["color-contrast", "link-in-text-block"]


def violations(tab, without=(), only=()):
    """What axe finds on a page as it stands, but for some of its rules or by some only."""
    # Through the debugger's protocol, which the page's policy does not bind.
    if not tab.evaluate("Boolean(window.axe)"):
        tab.evaluate(axe_source())
    options = {"resultTypes": ["violations"], "preload": False, "iframes": False}
    if only:
        options["runOnly"] = only
    else:
        options["rules"] = {rule: {"enabled": False} for rule in without}
    result = tab.evaluate("(options) => axe.run(document, options)", options)
    expect(len(result["passes"]) > (0 if only else 5), "axe looked at nothing")
    return [f"{found['id']} ({found['impact']}): {found['nodes'][0]['html'][:200]} {found['nodes'][0]['failureSummary'][:300]}"
            for found in result["violations"]]


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
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script(WATCH)
        try:
            tab = context.new_page()
            if SLOWDOWN > 1:
                context.new_cdp_session(tab).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
            said = []
            tab.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
            tab.on("pageerror", lambda error: said.append(f"error: {error}"))
            tab.on("dialog", lambda dialog: (said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
            tab.goto(page if "://" in page else self.address(page, fragment))
            yield tab
            expect(not said or not is_quiet, page, "said", said)
        except Exception as error:
            keep_picture(tab, error)
            raise
        finally:
            context.close()


def keep_picture(tab, error):
    """Notes with an error what the page looked like; pictures stay in the folder for temporary files."""
    if hasattr(error, "picture"):
        return  # Of a page within, where it came about.
    file, error.picture = tempfile.mkstemp(prefix="exhibit-check-", suffix=".png")
    os.close(file)
    try:
        tab.screenshot(path=error.picture, timeout=10_000)
    except Error as refusal:
        error.picture = f"none, {str(refusal).splitlines()[0]}"


def settled(tab):
    """Waits until the page rests: nothing that it began is under way."""
    wait_until(tab, "window.isSettled()")


def wait_until(tab, condition):
    """Waits for a condition in JavaScript; the browser asks for it, as a page's policy refuses to evaluate texts."""
    deadline = time.monotonic() + PATIENCE

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
                why = f"{type(error).__name__}: {error}".replace("\n", " ⏎ ")
                picture = getattr(error, "picture", "none")
                print(f"FAILED {check.__name__}: {why[:400]} (picture: {picture})")
                if len(why) > 400:
                    print(f"  {check.__name__} whole: {why}")
            sys.stdout.flush()
        browser.close()
    sys.exit(1 if failures else 0)
