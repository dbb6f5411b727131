"""The people of the soak run: what each has done, and what the service must remember of it."""
import hashlib, html, json, random, re, threading, time, urllib.parse, uuid

from http_client import Connections, Failure, address_of, signed_headers

connections = Connections()


class Unexpected(Exception):
    """An answer that no chaos explains."""


class Person:
    """One account. Only the thread that holds `lock` acts for it."""

    def __init__(self, number):
        self.number = number
        self.lock = threading.Lock()
        self.device = str(uuid.uuid4())
        self.user = None
        self.session = None
        self.credentials = None
        self.cookies = {}
        # For each key the SHA-256 digests that the last writes may have left; None stands for an absent object.
        self.photos = {}
        # None while a lost response hides whether Google is linked.
        self.has_google = False
        self.is_deleted = False
        # Whether the response of the last refresh was lost: a late reuse of its token ends the session.
        self.lost_refresh = False

    def subject(self, provider):
        return f"dev-soak{self.number}{'g' if provider == 'google' else ''}"


class Client:
    """Sends a person's requests to one instance and records each of them."""

    def __init__(self, instance, run):
        self.instance, self.run = instance, run

    def send(self, operation, method, path, headers=None, body=None, address=None, expect=(200,)):
        """Returns the answer. Raises Failure for a lost one or 502 to 504, Unexpected for another status than `expect`."""
        begin = time.time()
        headers = dict(headers or {})
        try:
            answer = connections.send(address or self.instance.address, method, path, headers, body)
        except Failure as failure:
            self.run.record(operation, begin, failure.kind)
            raise
        if answer.status in expect:
            self.run.record(operation, begin, None)
            return answer
        kind = f"{answer.status} {answer.code}".strip()
        self.run.record(operation, begin, kind)
        if answer.status in (502, 503, 504):
            raise Failure(kind)
        raise Unexpected(f"{operation}: {kind}")

    def call(self, operation, path, body=None, token=None, method="POST", expect=(200,)):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = json.dumps(body).encode() if body is not None else (b"" if method == "POST" else None)
        return self.send(operation, method, path, headers, data, expect=expect)

    # Signing in

    def identity(self, person, provider, purpose, token=None):
        challenge = self.call(
            "challenge", "/auth/challenge", {"purpose": purpose, "deviceID": person.device}, token).json()["challenge"]
        issued = self.call(
            "provider", f"/dev/providers/{provider}/token",
            {"subject": person.subject(provider), "nonce": challenge}).json()
        return {"provider": provider, "idToken": issued["idToken"], "challenge": challenge}

    def open_session(self, person, answer):
        user = answer["user"]["serviceUserID"]
        if person.user not in (None, user):
            raise Unexpected(f"{person.subject('apple')} was {person.user} and is {user}")
        person.user, person.session = user, answer["session"]
        person.lost_refresh, person.credentials = False, None

    def device(self, person):
        return {"id": person.device, "name": f"Soak {person.number}", "platform": "linux"}

    def sign_up(self, person):
        body = dict(self.identity(person, "apple", "signup"), fullName="Soak", device=self.device(person))
        answer = self.call("sign-up", "/auth/signup", body, expect=(201, 409))
        if answer.status == 201:
            self.open_session(person, answer.json())
        else:
            # The response to an earlier attempt was lost.
            self.sign_in(person)

    def sign_in(self, person, provider="apple"):
        body = dict(self.identity(person, provider, "signin"), device=self.device(person))
        answer = self.call("sign-in", "/auth/signin", body, expect=(200, 404))
        if answer.status == 404:
            if provider == "google" or person.user is not None:
                raise Unexpected(f"sign-in: {person.subject(provider)} has no account")
            return self.sign_up(person)
        self.open_session(person, answer.json())

    def refresh(self, person):
        expect = (200, 401) if person.lost_refresh else (200,)
        person.lost_refresh = True
        answer = self.call("refresh", "/auth/refresh", {"refreshToken": person.session["refreshToken"]}, expect=expect)
        if answer.status == 401:
            return self.sign_in(person)
        person.session, person.lost_refresh = answer.json()["session"], False

    def devices(self, person):
        self.call("devices", "/auth/devices", token=person.session["accessToken"], method="GET")

    def link(self, person):
        """Links Google, or unlinks it."""
        self.sign_in(person)
        token = person.session["accessToken"]
        linked = self.call("linked", "/auth/linked-accounts", token=token, method="GET").json()["linkedProviders"]
        google = next((each for each in linked if each["provider"] == "google"), None)
        if person.has_google is not None and person.has_google != bool(google):
            raise Unexpected(f"linked: expected google {person.has_google}")
        person.has_google = None
        if google:
            self.call("unlink", "/auth/unlink-account", {"linkID": google["linkID"]}, token)
        else:
            self.call("link", "/auth/link-account", self.identity(person, "google", "link", token), token)
        person.has_google = not google

    def delete(self, person):
        self.sign_in(person)
        person.is_deleted = True
        self.call("delete", "/account/deletion", {"confirmation": "DELETE"}, person.session["accessToken"])

    # Photos

    def storage(self, person):
        if person.credentials is None or person.credentials["until"] < time.time():
            answer = self.call("credentials", "/auth/credentials", token=person.session["accessToken"])
            person.credentials = dict(answer.json(), until=time.time() + 600)
        return person.credentials

    def object(self, operation, method, person, key, body=None, offset=0, expect=(200,)):
        credentials = self.storage(person)
        address = address_of(credentials["endpoint"])
        path = f"/{credentials['bucket']}/photos/{person.user}/{key}"
        host = f"{address[0]}:{address[1]}"
        headers = signed_headers(credentials, method, path, body, host, offset)
        return self.send(operation, method, path, headers, body, address, expect)

    def upload(self, person):
        key = f"{random.randrange(10)}.jpg"
        body = random.randbytes(random.choice((2_000, 50_000, 400_000)))
        digest = hashlib.sha256(body).hexdigest()
        person.photos[key] = person.photos.get(key, {None}) | {digest}
        self.object("upload", "PUT", person, key, body)
        person.photos[key] = {digest}

    def download(self, person):
        if not person.photos:
            return self.upload(person)
        self.check_photo(person, random.choice(list(person.photos)))

    def check_photo(self, person, key):
        answer = self.object("download", "GET", person, key, expect=(200, 404))
        found = hashlib.sha256(answer.body).hexdigest() if answer.status == 200 else None
        if found not in person.photos[key]:
            raise Unexpected(f"photo {key} of {person.user} differs: {found}")

    def skewed(self, person):
        """A client whose clock is 20 minutes behind: its storage requests are refused."""
        answer = self.object("skewed clock", "GET", person, "0.jpg", offset=-1200, expect=(400, 403))
        if answer.code not in ("RequestTimeTooSkewed", "AccessDenied"):
            raise Unexpected(f"skewed clock: {answer.status} {answer.code}")

    # Pages

    def page(self, operation, path, person, expect=(200,)):
        cookie = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
        answer = self.send(operation, "GET", path, {"Cookie": cookie, "Accept": "text/html"}, expect=expect)
        person.cookies.update(answer.cookies())
        return answer

    def pages(self, person):
        """Opens the account's pages; signs the browser in first if it is signed out."""
        if self.page("page", "/account", person, (200, 303)).status == 303:
            self.sign_browser_in(person)
        for path in ("/account", "/library", "/account/devices"):
            self.page("page", path, person)

    def sign_browser_in(self, person):
        person.cookies = {}
        text = self.page("page", "/sign-in", person).body.decode()
        link = re.search(r'href="(/sign-in/apple\?[^"]+)"', text)
        if not link:
            raise Unexpected("page: no link to apple")
        away = self.page("page", link[1].replace("&amp;", "&"), person, (302, 303)).header("Location")
        query = away.split("?", 1)[1]
        form = f"{query}&person=other&name={person.subject('apple')[4:]}".encode()
        answer = self.send(
            "provider page", "POST", "/" + away.split("?")[0].split("/", 3)[3],
            {"Content-Type": "application/x-www-form-urlencoded"}, form, address_of(away))
        self.complete(person, answer)

    def complete(self, person, answer):
        """Follows the provider's answer: a form that the browser posts (Apple), and then redirects to the account."""
        fields = re.findall(r'name="([^"]+)" value="([^"]*)"', answer.body.decode())
        form = urllib.parse.urlencode([(name, html.unescape(value)) for name, value in fields]).encode()
        cookie = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
        back = self.send(
            "page", "POST", "/callback/apple",
            {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}, form, expect=(303,))
        person.cookies.update(back.cookies())
        while back.status == 303 and back.header("Location").startswith("/callback"):
            back = self.page("page", back.header("Location"), person, (200, 303))
        if not any(name.endswith("photolala-session") for name in person.cookies):
            raise Unexpected(f"page: the browser is not signed in: {back.status}")
