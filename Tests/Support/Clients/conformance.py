"""The TypeScript client in tabs of Chromium, at a proxy that adds the client to the server's origin.
SERVER is the server, PORT the proxy's port, COMPILED the compiled client, PAGE the script of its page, EXCLUSION `locks` or `lease`."""
import base64, hashlib, http.client, http.server, os, pathlib, random, shutil, threading
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

SERVER = os.environ["SERVER"].removeprefix("http://")
ORIGIN = f"http://127.0.0.1:{os.environ['PORT']}"
CLIENT = pathlib.Path(os.environ["COMPILED"])
PAGE = pathlib.Path(os.environ["PAGE"])
HAS_LOCKS = os.environ["EXCLUSION"] == "locks"
renewals, open_gate, started = [], threading.Event(), threading.Event()
open_gate.set()


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body, headers):
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/page":
            return self.answer(200, b"<!doctype html><title>Photos</title>", [("Content-Type", "text/html")])
        if self.path.startswith("/client/") or self.path == "/conformance.mjs":
            file = PAGE if self.path == "/conformance.mjs" else CLIENT / self.path.removeprefix("/client/")
            return self.answer(200, file.read_bytes(), [("Content-Type", "text/javascript")])
        if self.path == "/auth/refresh":
            renewals.append(body)
            started.set()
            open_gate.wait(60)
        server = http.client.HTTPConnection(SERVER, timeout=60)
        server.request(self.command, self.path, body, dict(self.headers))
        answer = server.getresponse()
        self.answer(answer.status, answer.read(), answer.getheaders())
        server.close()

    do_GET = do_POST = do_PUT = do_DELETE = forward

    def log_message(self, *_):
        pass


class Tab:
    """A tab with its own client; the store is that of the origin."""

    def __init__(self, driver, handle):
        self.driver, self.handle = driver, handle
        self.load()

    def load(self):
        self.driver.switch_to.window(self.handle)
        self.driver.get(f"{ORIGIN}/page")
        without = "" if HAS_LOCKS else "Object.defineProperty(navigator, 'locks', { value: undefined });"
        self.driver.execute_async_script(
            f"{without} const done = arguments[0]; import('/conformance.mjs').then((all) => {{ window.all = all; done(); }});")

    def start(self, name, *arguments):
        """Starts a step, for `result`."""
        self.driver.switch_to.window(self.handle)
        self.driver.execute_script(
            "window.running = all[arguments[0]](...arguments[1]).then((value) => ({ value }), (error) => ({ error: `${error.stack}` }));",
            name, arguments)

    def result(self):
        self.driver.switch_to.window(self.handle)
        found = self.driver.execute_async_script("running.then(arguments[0])")
        assert "error" not in found, found["error"]
        return found["value"]

    def run(self, name, *arguments):
        self.start(name, *arguments)
        return self.result()


def equal(found, expected):
    assert found == expected, f"{found}, expected {expected}"


def step(name):
    print("STEP", name, flush=True)


def journey(driver):
    first = Tab(driver, driver.current_window_handle)
    account, kind = first.run("signUp")
    equal(kind, "DPoP")
    step("sign-up")

    token = first.run("accessToken")
    first.load()
    equal([first.run("accessToken"), first.run("account", account)], [token, account])
    step("restart")

    first.run("expire")
    first.load()
    equal(first.run("account", account), account)
    equal(len(renewals), 1)
    # The key cannot leave the browser, and the tokens without it are worthless.
    equal(first.run("theft", account), [False, "InvalidAccessError", "P-256", "invalid_dpop_proof", "invalid_dpop_proof"])
    step("bound-renewal")

    first.run("expire")
    driver.switch_to.new_window("tab")
    second = Tab(driver, driver.current_window_handle)
    first.load()
    renewals.clear()
    started.clear()
    open_gate.clear()
    first.start("account", account)
    assert started.wait(30)
    second.start("account", account)
    if HAS_LOCKS:
        # The second tab waits for the first one.
        WebDriverWait(driver, 30).until(lambda _: driver.execute_async_script("all.locks().then(arguments[0])") == [1, 1])
    open_gate.set()
    equal([tab.result() for tab in (first, second)], [account, account])
    equal(len(renewals), 1)
    equal(first.run("accessToken"), second.run("accessToken"))
    if not HAS_LOCKS:
        equal(second.run("abandonedLeases"), ["done", "done", "SessionStoreError", True])
    step("concurrent-renewal")

    photo = b"\xff\xd8\xff\xe0\0\x10JFIF" + random.Random(7).randbytes(50_000)
    small = b"\xff\xd8\xff\xe0\0\x10JFIF" + random.Random(8).randbytes(5_000)
    text = [base64.b64encode(each).decode() for each in (photo, small)]
    md5 = [hashlib.md5(each).hexdigest() for each in (photo, small)]
    equal(first.run("upload", *text, *md5), ["added"])
    step("upload")
    equal(second.run("list"), [["Camera/IMG_1.jpg", md5[0]]])
    step("list")
    equal(base64.b64decode(second.run("thumbnail")), small)
    step("thumbnail")
    equal(base64.b64decode(second.run("original", md5[0])), photo)
    step("original")

    equal(first.run("endElsewhere", account), ["session_ended", True, "NotSignedInError"])
    step("ended-session")

    # The other tab finds the new session after its own has ended.
    equal(first.run("signIn"), account)
    second.load()
    equal(second.run("account", account), account)
    equal(second.run("signOut"), True)
    first.load()
    equal(first.run("accessToken"), None)
    step("sign-out")


proxy = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Proxy)
threading.Thread(target=proxy.serve_forever, daemon=True).start()
options = webdriver.ChromeOptions()
for argument in ["headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu"]:
    options.add_argument(f"--{argument}")
options.binary_location = shutil.which("chromium") or ""
driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
driver.set_script_timeout(60)
try:
    journey(driver)
finally:
    open_gate.set()
    driver.quit()
print("DONE")
